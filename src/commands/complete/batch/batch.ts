export async function* batch(_records: unknown, _options: unknown, _context: unknown): AsyncGenerator<never> {}
