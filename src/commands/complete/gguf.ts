import type { Message } from '../../lib/ir/types.ts';
export async function generate(_file: string, _c: unknown, _s: unknown, _o: unknown): Promise<Message> {
  throw new Error('x');
}
