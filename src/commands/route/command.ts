// ai-route: which model answers, and why.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { renderConfig } from '../../lib/config/show.ts';
import { type Conversation, conversations, emit, firstRecord } from '../../lib/conversion/gather.ts';
import { EXIT, Failure, placeOf } from '../../lib/failure/failure.ts';
import { type Rec, record } from '../../lib/json/record.ts';
import { equal, isObject, type JsonObject } from '../../lib/json/values.ts';
import { ForeignAddress } from '../../lib/models/routed.ts';
import { Recognition } from '../../lib/transcripts/recognition.ts';
import type { ChosenAgent } from './agents/agents.ts';
import type { Wish } from './attempts.ts';
import { type Decision, describeAgent, describeDecision } from './decision.ts';
import { OPTIONS } from './options.ts';
import { openSession, type Session } from './session.ts';
import { takeSwaps } from './swap.ts';
import { View } from './view.ts';

export default defineFilter({
  name: 'ai-route',
  summary: 'choose the model that answers, and report why',
  description: `
    Writes the model into the head of each conversation. "_meta.route" of the head gets the provider, the reason, the
    estimated tokens and dollars, the fallbacks, and every rejected candidate with the constraint that it violates. A
    conversation without a head gets one.

    The model is the first of these that is given: ">>swap NAME" as a user message in the conversation (the message is
    removed), --model, the --rules file, AI_MODEL or ANTHROPIC_MODEL, the rules and then the "model" of
    ~/.config/ai/config.yaml, the model in the head. If none is given, ai-route selects among the candidates that can
    do what the conversation needs, in the order of --strategy.

    A model name is PROVIDER/MODEL, a model id, an alias (sonnet, coding, fast … and your own), words that only one
    model's name contains, a cloud's name for a model (an ARN, projects/…/models/…), a tag that a server on this
    machine has (llama3.2:3b), or a URL such as http://localhost:11434/llama3. URLs are accepted only from the command
    line, the environment and the configuration. A named model must be able to do what the conversation needs; only its
    context window may be too small, because ai-condense may follow in the pipe.

    --preprocess handles simple requests. If a request is clearly a single call of one of its tools, that call is
    appended as the assistant's message. If it clearly needs no tool, it is passed on without tools and with a shorter
    system prompt. Any other request is passed on unchanged. --agents selects the agent whose description has the most
    words in common with the request, writes its name under "_meta.route", and uses its model unless -m names another.`,
  options: OPTIONS,
  exits: {
    1: 'no model meets the constraints, or a test of --check fails',
    65: 'a line is invalid, or an input is not a conversation (it is passed through unchanged)',
    77: 'a record or an agent names a URL as the model',
    78: 'a model is unknown, a budget is set and the price is unknown, or the configuration is invalid',
  },
  see: ['ai-complete', 'ai-condense'],
  examples: [
    {
      title: 'name the model that answers',
      command: 'ai-route -m claude-sonnet-4-5',
      stdin: '{"role":"user","content":"Hello"}\n',
      stdout: `{"model":"claude-sonnet-4-5","_meta":{"route":{"provider":"anthropic","reason":"anthropic is listed as the provider of claude-sonnet-4-5","estimate":{"input_tokens":9,"output_tokens":4096,"basis":"bytes","usd":0.06147}}}}
{"role":"user","content":"Hello"}
`,
    },
  ],
  async run(records, options, context) {
    const session = await openSession(options, context);
    if (options['show-config']) {
      context.print(renderConfig(session.settings.layers));
      return [];
    }
    if (options.check !== undefined) return check(options.check, session, context);
    return options.replay ? replayed(records, session, context) : routed(records, session, context);
  },
});

async function check(file: string, { settings, router }: Session, context: Context): Promise<Rec[]> {
  const [{ runTests }, { loadGlob }] = await Promise.all([import('./check.ts'), import('../../lib/config/glob.ts')]);
  const { text, failed } = runTests(settings.config.route?.tests ?? [], router, await loadGlob(), file);
  context.print(text);
  if (failed > 0) context.exit(EXIT.no);
  return [];
}

async function* replayed(records: Iterable<Rec>, { settings, router }: Session, context: Context): AsyncGenerator<Rec> {
  const { Replay, questionOf, unrouted } = await import('./replay.ts');
  const replay = new Replay(settings.catalogue, (name) => router.standsFor(name)[0] ?? name, context.now);
  const recognition = new Recognition({ program: 'ai-route' });
  for (const before of conversations(recognition.all(records))) {
    if (!recognition.knows(firstRecord(before)?.file)) continue;
    const { conversation, name } = takeSwaps(before);
    const recorded = questionOf(conversation);
    const difference = replay.add(recorded, again(router, new View(unrouted(recorded.question)), name));
    if (difference) yield record(difference);
  }
  yield record(replay.summary());
  for (const failure of recognition.failures()) context.bad(failure);
}

/** The decision; null for a head that keeps its own; undefined where no model fits. */
function again(router: Session['router'], view: View, swap: string | undefined): Decision | null | undefined {
  try {
    return router.decide(view, swap === undefined ? undefined : { name: swap, from: 'user' }) ?? null;
  } catch (error) {
    if (error instanceof Failure && error.status === EXIT.no) return undefined;
    throw error;
  }
}

function* routed(records: Iterable<Rec>, session: Session, context: Context): Generator<Rec> {
  const recognition = new Recognition({ program: 'ai-route' });
  for (const conversation of conversations(recognition.all(records))) {
    if (!recognition.knows(firstRecord(conversation)?.file)) {
      if (!session.dryRun) yield* emit(conversation);
      continue;
    }
    session.refresh();
    try {
      yield* session.wrap ? emit(session.wrap(conversation), conversation) : route(conversation, session);
    } catch (error) {
      if (!isHandled(error, conversation)) throw error;
      context.bad(error);
      if (!session.dryRun) yield* emit(conversation);
    }
  }
  for (const failure of recognition.failures()) context.bad(failure);
}

/** With --keep-going a conversation that cannot be routed, or names a model that is none, passes as it came. */
const isHandled = (error: unknown, conversation: Conversation): error is Failure =>
  error instanceof Failure &&
  (error.status === EXIT.no ||
    error.status === EXIT.badInput ||
    ((error.status === EXIT.config || error instanceof ForeignAddress) && error.place === whereOf(conversation)));

function route(before: Conversation, session: Session): Iterable<Rec> {
  const { conversation, name } = takeSwaps(before);
  const view = new View(conversation);
  const agent = session.agents?.choose(view);
  const decided = decide(view, wishOf(name, agent, session), agent, session);
  const decision = decided && { ...decided, ...(agent && { agent }) };
  const model = decision?.choice.model ?? view.requested;
  const told = decision && describeDecision(decision);
  const route = told ?? (agent && { ...view.routed, ...describeAgent(agent) });
  session.explain?.(whereOf(conversation), decision ?? { model: model ?? '', reason: KEPT });
  if (session.dryRun) return [record(printed(conversation, model, { ...(!decision && { reason: KEPT }), ...route }))];
  const after = route ? withHead(conversation, model, told ? session.sealed(told) : route) : conversation;
  return emit(session.preprocess ? session.preprocess(after) : after, before);
}

/** A model that is not known is told with the file that names it. */
function decide(
  view: View,
  wish: Wish | undefined,
  chosen: ChosenAgent | undefined,
  { router }: Session,
): Decision | undefined {
  try {
    return router.decide(view, wish);
  } catch (error) {
    if (!(error instanceof Failure) || wish?.from !== 'agent') throw error;
    if (error instanceof ForeignAddress) throw new ForeignAddress(wish.name, chosen?.agent.file);
    if (error.status !== EXIT.config) throw error;
    throw new Failure(EXIT.config, error.message, { place: chosen?.agent.file, hint: error.hint });
  }
}

/** Why a conversation keeps its model. */
const KEPT = 'the head names it, and no other setting does';

/** What the user said in the conversation, else the agent's own model, unless the command line names one. */
function wishOf(name: string | undefined, chosen: ChosenAgent | undefined, { isNamed }: Session): Wish | undefined {
  if (name !== undefined) return { name, from: 'user' };
  const model = chosen?.agent.model;
  return model === undefined || isNamed ? undefined : { name: model, from: 'agent' };
}

/** With the decision in its head; the same conversation if it was there already. */
function withHead(conversation: Conversation, model: string | undefined, route: JsonObject): Conversation {
  const head = conversation.head?.rec.value;
  const own = isObject(head) ? head : {};
  const meta = isObject(own._meta) ? own._meta : {};
  const after = { ...own, ...(model !== undefined && { model }), _meta: { ...meta, route } };
  if (equal(own, after)) return conversation;
  return { ...conversation, head: { ...conversation.head, rec: record(after, conversation.head?.rec) } };
}

const whereOf = (conversation: Conversation): string => placeOf(firstRecord(conversation)) ?? 'a conversation';

/** What --dry-run prints of a conversation. */
function printed(conversation: Conversation, model: string | undefined, route: JsonObject): JsonObject {
  const { file, line } = firstRecord(conversation) ?? {};
  return { type: 'route', ...(file !== undefined && { file, line }), ...(model !== undefined && { model }), ...route };
}
