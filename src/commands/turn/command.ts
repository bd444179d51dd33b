// ai-turn: whose turn it is in a conversation; the user's words in, the model's out.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, conversations } from '../../lib/conversion/gather.ts';
import { FORMATS } from '../../lib/dialects/table.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { badInput, EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { withoutControls } from '../../lib/text/control-characters.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import { DESCRIPTION, OPTIONS } from './options.ts';
import { answerIn, promptIn, turnIn } from './state.ts';

export default defineFilter({
  name: 'ai-turn',
  summary: "tell whose turn it is; write a user message or the model's last answer",
  description: DESCRIPTION,
  toleratesTornTail: true,
  options: OPTIONS,
  exits: {
    1: 'with --answer: there is no answer',
    65: 'a line is invalid, the input is empty or not a conversation, or with --say: calls need results first',
  },
  see: ['ai-pending', 'ai-complete', 'ai-agent'],
  examples: [
    {
      title: 'the model has not answered yet',
      command: 'ai-turn',
      stdin: '{"role":"user","content":"Hello"}\n',
      stdout: 'model\n',
    },
    {
      title: 'write a question to append',
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
  'cannot tell whose turn it is: the input has no record',
  'an earlier program in the pipe may have failed; to start a conversation, use --say',
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
    throw new Failure(EXIT.badInput, 'cannot write a user message: tool calls need results first', {
      hint: 'ai-pending lists them',
    });
  const said = turn === 'model' ? promptIn(conversation) : undefined;
  if (said === text || said?.endsWith(`\n\n${text}`)) return;
  const whole = before === '' ? text : `${before}\n\n${text}`;
  const format = conversation?.format ?? (FORMATS[0] as Format);
  for (const native of format.writeMessages([{ role: 'user', parts: [{ type: 'text', text: whole }] }], () => {}))
    yield record(native);
}
