// A person decides, on the terminal.
import type { Terminal } from '../../lib/cli/terminal.ts';
import type { CallRecord } from '../../lib/conversation/loop-records.ts';
import { quoted, withoutControls } from '../../lib/text/control-characters.ts';

/** `gone`: the person closed the terminal. */
type Answer = { readonly allow: true } | { readonly allow: false; readonly why?: string } | 'later' | 'gone';

/** Shows a call and asks until there is an answer. */
export async function ask(terminal: Terminal, call: CallRecord, why: string, cwd: string): Promise<Answer> {
  terminal.write(`\n${quoted(call.name)} (${quoted(why, 400)})\n`);
  const { preview } = await import('./preview.ts');
  const shown = await preview(call, cwd);
  terminal.write(`${shown.lines.join('\n')}\n`);
  for (;;) {
    const more = shown.hidden > 0 ? ', v: show all of it' : '';
    const line = terminal.ask(`Run it? y: yes, n: no, n WHY: no, tell the model why, s: decide later${more} [n] `);
    if (line === undefined) return 'gone';
    const answer = read(line.trim());
    if (answer !== undefined) return answer;
    if (line.trim() === 'v') terminal.write(`${(await preview(call, cwd, true)).lines.join('\n')}\n`);
  }
}

function read(line: string): Answer | undefined {
  if (/^(y|yes)$/i.test(line)) return { allow: true };
  if (/^(n|no)?$/i.test(line)) return { allow: false };
  const why = /^(?:n|no)\s+(.+)$/is.exec(line)?.[1];
  if (why !== undefined) return { allow: false, why: withoutControls(why) };
  return /^(s|stop|later)$/i.test(line) ? 'later' : undefined;
}
