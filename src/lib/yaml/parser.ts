// The YAML parser, loaded where there is YAML to read. https://eemeli.org/yaml/
import * as loaded from 'yaml';

/** The bundle hands over a CommonJS module as its default. */
export const yaml = ('default' in loaded ? loaded.default : loaded) as typeof loaded;
