// ai-turn: whose turn it is in a conversation; the user's words in, the model's out.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, conversations } from '../../lib/conversion/gather.ts';
import { FORMATS } from '../../lib/dialects/table.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { badInput, EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { withoutControls } from '../../lib/text/control-characters.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { answerIn, promptIn, turnIn } from './state.ts';

export default defineFilter({
  name: 'ai-turn',
  summary: 'whose turn it is; what the user says, what the model said',
  description: `
    Reads a conversation to its end and writes one word: "tools" if calls of the last turn want results, "model" if the model has not answered yet,
    "user" if it has, or if a head is all there is. A loop is made of that:

    while :; do case $(ai-turn <c.jsonl) in tools) …;; model) ai-complete -n <c.jsonl >>c.jsonl;; *) break;; esac; done

    --say writes the message of the user that is to be appended instead, in the conversation's dialect. While the model still owes the answer to this very
    text nothing is written: a loop that was stopped can be started again as it was. With --agent the user hands over to that agent or mode: what it is told
    stands before the text. --answer writes the text that the model said last. Of several
    conversations the last one counts. Without any record there is no turn to tell: only --say goes on. A last line that was cut off in the middle is skipped with a note.`,
  toleratesTornTail: true,
  options: {
    say: { type: 'string', short: 's', arg: 'TEXT', summary: "write the user's message with this text" },
    agent: { type: 'string', arg: 'NAME', summary: 'with --say: hand over to this agent or mode; see AI_AGENTS' },
    answer: { type: 'boolean', short: 'a', summary: "write the text of the model's last answer" },
  },
  exits: {
    1: 'with --answer: there is none',
    65: 'a line is bad, nothing came or was recognised, or with --say: calls want results first',
  },
  see: ['ai-pending', 'ai-complete', 'ai-agent'],
  examples: [
    {
      title: 'the model has to go on',
      command: 'ai-turn',
      stdin: '{"role":"user","content":"Hello"}\n',
      stdout: 'model\n',
    },
    {
      title: 'a question, to be appended',
      command: "ai-turn --say 'And in French?'",
      stdin: '{"role":"user","content":"Hello"}\n{"role":"assistant","content":"Hi!"}\n',
      stdout: '{"role":"user","content":"And in French?"}\n',
    },
  ],
  async *run(records, options, context) {
    let last: Conversation | undefined;
    const recognition = new Recognition({ program: 'ai-turn' });
    for (const conversation of conversations(recognition.all(records))) last = conversation;
    for (const failure of recognition.failures()) context.bad(failure);
    if (options.say === undefined && !recognition.any) throw NOTHING;
    if (options.say !== undefined) return yield* say(options.say, await promptOf(options.agent, context), last);
    if (!options.answer) return context.print(`${turnIn(last)}\n`);
    const answer = withoutControls(answerIn(last)).trimEnd();
    if (answer === '') context.exit(EXIT.no);
    else context.print(`${answer}\n`);
  },
});

const NOTHING = badInput(
  undefined,
  'cannot tell whose turn it is: no record has come',
  'a program before it in the pipe may have failed; --say begins a conversation',
);

/** What an agent is told; empty where none is named. Throws a Failure (78) if there is no such agent. */
async function promptOf(name: string | undefined, { env, cwd }: Context): Promise<string> {
  if (name === undefined || name === '') return '';
  const { agentNamed } = await import('../../lib/agents/find.ts');
  return (await agentNamed(name, { list: env.AI_AGENTS, cwd })).prompt;
}

function* say(text: string, before: string, conversation: Conversation | undefined): Generator<Rec> {
  const turn = turnIn(conversation);
  if (turn === 'tools')
    throw new Failure(EXIT.badInput, 'cannot say anything: calls want results first', {
      hint: 'ai-pending shows them',
    });
  const said = turn === 'model' ? promptIn(conversation) : undefined;
  if (said === text || said?.endsWith(`\n\n${text}`)) return;
  const whole = before === '' ? text : `${before}\n\n${text}`;
  const format = conversation?.format ?? (FORMATS[0] as Format);
  for (const native of format.writeMessages([{ role: 'user', parts: [{ type: 'text', text: whole }] }], () => {}))
    yield record(native);
}
