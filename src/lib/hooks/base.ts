// The fields that every event has. https://code.claude.com/docs/en/hooks
import type { JsonObject } from '../json/values.ts';

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** For the conversation in a file, if it is in one: absolute. */
export function baseFields({ env, cwd }: Surroundings, file: string | undefined): JsonObject {
  return {
    session_id: env.AI_SESSION || idOf(file ?? cwd),
    transcript_path: file ?? '',
    cwd,
    permission_mode: env.AI_PERMISSION_MODE || 'default',
  };
}

/** A session's id, as a UUID, from what stands for it: the same for the same file. */
function idOf(path: string): string {
  const hex = process.getBuiltinModule('node:crypto').createHash('sha256').update(path).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
