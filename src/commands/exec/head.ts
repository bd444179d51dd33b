// The head of a conversation: what the model is told that it may call, and who it is.
import type { Agent } from '../../lib/agents/agent.ts';
import type { Context } from '../../lib/cli/filter.ts';
import type { Message, Tool as ModelTool } from '../../lib/conversation/types.ts';
import { FORMATS, formatNamed, formatNames } from '../../lib/dialects/table.ts';
import type { Format } from '../../lib/dialects/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import type { Toolbox } from './toolbox.ts';

interface HeadOptions {
  /** A dialect's name; empty: the one that suits the model. */
  readonly dialect: string;
  readonly agent: Agent | undefined;
  readonly model: string | undefined;
}

/** Tokens of one answer. Every Claude since 3.7 may give more. */
const ROOMY = 16_384;

/** The head, and the message of the system where the dialect keeps that apart. What is wrong with the tools that are not in it is said. */
export async function* headFor(tools: Toolbox, options: HeadOptions, context: Context): AsyncGenerator<Rec> {
  const found = tools.names.map((name) => tools.find(name));
  const problems = found.filter((tool) => typeof tool === 'string');
  for (const problem of problems) context.note(problem);
  if (problems.length > 0) context.exit(EXIT.config);
  const list = found
    .filter((tool) => typeof tool === 'object')
    .map(
      ({ name, description, schema }): ModelTool => ({
        type: 'function',
        name,
        ...(description !== undefined && { description }),
        schema,
      }),
    );
  const { agent } = options;
  const model = options.model ?? agent?.model ?? (agent && context.env.AI_MODEL);
  const format = formatFor(options.dialect, model);
  const prompt: Message[] = agent?.prompt ? [{ role: 'system', parts: [{ type: 'text', text: agent.prompt }] }] : [];
  // Where the API wants a limit, its usual one is too small for files that an agent writes.
  const limit = agent && format.name === 'anthropic' ? { maxTokens: ROOMY } : {};
  const { native, rest } = format.writeHead({ ...(model && { model }), ...limit, tools: list }, prompt, () => {});
  yield record(agent ? { ...native, _meta: { agent: { name: agent.name } } } : native);
  for (const message of rest) for (const each of format.writeMessages([message], () => {})) yield record(each);
}

/** Throws a Failure (64) for a name that is no dialect. */
function formatFor(dialect: string, model: string | undefined): Format {
  const name = dialect === '' && model ? dialectOf(model) : dialect;
  const format = name === '' ? FORMATS[0] : formatNamed(name);
  if (format) return format;
  throw new Failure(EXIT.usage, `there is no dialect "${name}"`, { hint: formatNames().join(', ') });
}

/** Claude's own dialect keeps all that its answers have; for other models ours is the one that they share. */
const dialectOf = (model: string): string => (/^(anthropic\/|claude|opus|sonnet|haiku)/.test(model) ? 'anthropic' : '');
