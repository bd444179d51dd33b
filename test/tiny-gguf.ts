// A model file small enough to make in a test: one layer of random weights, letters as tokens. https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
const [U32, F32, STRING, ARRAY, I32] = [4, 6, 8, 9, 5];
const WIDTH = 32;
const HIDDEN = 64;

class Bytes {
  readonly #pieces: Buffer[] = [];
  length = 0;

  add(piece: Buffer): this {
    this.#pieces.push(piece);
    this.length += piece.length;
    return this;
  }
  u32(value: number): this {
    const piece = Buffer.alloc(4);
    piece.writeUInt32LE(value);
    return this.add(piece);
  }
  u64(value: number): this {
    const piece = Buffer.alloc(8);
    piece.writeBigUInt64LE(BigInt(value));
    return this.add(piece);
  }
  f32(value: number): this {
    const piece = Buffer.alloc(4);
    piece.writeFloatLE(value);
    return this.add(piece);
  }
  text(value: string): this {
    const bytes = Buffer.from(value);
    return this.u64(bytes.length).add(bytes);
  }
  pad(to: number): this {
    return this.add(Buffer.alloc((to - (this.length % to)) % to));
  }
  all(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

const CHAT =
  "{{ bos_token }}{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}";

/** The bytes of the file. */
export function tinyGguf(): Buffer {
  const letters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i).replace(' ', '\u2581'));
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`);
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...letters];
  const types = [2, 3, 3, ...bytes.map(() => 6), ...letters.map(() => 1)];
  const tensors: [string, number[]][] = [
    ['token_embd.weight', [WIDTH, tokens.length]],
    ['blk.0.attn_norm.weight', [WIDTH]],
    ['blk.0.attn_q.weight', [WIDTH, WIDTH]],
    ['blk.0.attn_k.weight', [WIDTH, WIDTH]],
    ['blk.0.attn_v.weight', [WIDTH, WIDTH]],
    ['blk.0.attn_output.weight', [WIDTH, WIDTH]],
    ['blk.0.ffn_norm.weight', [WIDTH]],
    ['blk.0.ffn_gate.weight', [WIDTH, HIDDEN]],
    ['blk.0.ffn_up.weight', [WIDTH, HIDDEN]],
    ['blk.0.ffn_down.weight', [HIDDEN, WIDTH]],
    ['output_norm.weight', [WIDTH]],
    ['output.weight', [WIDTH, tokens.length]],
  ];
  const file = new Bytes();
  const fields = metadata(tokens, types);
  file.add(Buffer.from('GGUF')).u32(3).u64(tensors.length).u64(fields.length);
  for (const write of fields) write(file);
  let offset = 0;
  for (const [name, shape] of tensors) {
    file.text(name).u32(shape.length);
    for (const size of shape) file.u64(size);
    file.u32(0).u64(offset);
    offset += 4 * shape.reduce((a, b) => a * b);
    offset += (32 - (offset % 32)) % 32;
  }
  file.pad(32);
  const chance = random(7);
  for (const [name, shape] of tensors) {
    const count = shape.reduce((a, b) => a * b);
    const values = Float32Array.from({ length: count }, () => (name.includes('norm') ? 1 : chance() - 0.5));
    file.add(Buffer.from(values.buffer)).pad(32);
  }
  return file.all();
}

function metadata(tokens: readonly string[], types: readonly number[]): ((file: Bytes) => void)[] {
  const text = (key: string, value: string) => (file: Bytes) => void file.text(key).u32(STRING).text(value);
  const number = (key: string, value: number) => (file: Bytes) => void file.text(key).u32(U32).u32(value);
  const array = (key: string, type: number, length: number, write: (file: Bytes) => void) => (file: Bytes) => {
    file.text(key).u32(ARRAY).u32(type).u64(length);
    write(file);
  };
  return [
    text('general.architecture', 'llama'),
    number('llama.context_length', 512),
    number('llama.embedding_length', WIDTH),
    number('llama.block_count', 1),
    number('llama.feed_forward_length', HIDDEN),
    number('llama.attention.head_count', 2),
    (file) => void file.text('llama.attention.layer_norm_rms_epsilon').u32(F32).f32(1e-5),
    text('tokenizer.ggml.model', 'llama'),
    array('tokenizer.ggml.tokens', STRING, tokens.length, (file) => {
      for (const token of tokens) file.text(token);
    }),
    array('tokenizer.ggml.scores', F32, tokens.length, (file) => {
      for (const _ of tokens) file.f32(0);
    }),
    array('tokenizer.ggml.token_type', I32, tokens.length, (file) => {
      for (const type of types) file.u32(type);
    }),
    number('tokenizer.ggml.bos_token_id', 1),
    number('tokenizer.ggml.eos_token_id', 2),
    text('tokenizer.chat_template', CHAT),
  ];
}

/** A small generator (mulberry32), so that the weights are the same everywhere. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
