// The version, from the one place that has it. The bundler puts the text in.
import manifest from '../../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
