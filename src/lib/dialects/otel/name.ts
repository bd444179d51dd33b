export const OTEL = 'otel';

/** The attributes that hold messages. */
export const INPUT = 'gen_ai.input.messages';
export const OUTPUT = 'gen_ai.output.messages';
