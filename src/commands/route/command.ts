// ai-route: which model answers, and why.
import { type Context, defineFilter } from '../../lib/cli/filter.ts';
import { type Conversation, conversations, emit } from '../../lib/formats/conversation.ts';
import { EXIT, Failure } from '../../lib/ir/failure.ts';
import { isObject, type JsonObject } from '../../lib/ir/json.ts';
import { type Rec, record } from '../../lib/ir/record.ts';
import { type Choice, resolveModel } from '../../lib/models/resolve.ts';

export default defineFilter({
  name: 'ai-route',
  summary: 'decide which model answers, and say why',
  description: `
    Writes the model into the head of each conversation, and the provider and the reason under "_meta.route". A conversation without a head
    gets one. The model comes from --model, else from the environment variable AI_MODEL; a head that names a model already is left as it is
    if neither is given.`,
  options: {
    model: {
      type: 'string',
      short: 'm',
      arg: 'MODEL',
      summary: 'the model: PROVIDER/MODEL, or a name that one provider owns',
    },
  },
  exits: { 78: 'no model is named, or it is not known' },
  see: ['ai-complete'],
  examples: [
    {
      title: 'name the model that answers',
      command: 'ai-route -m claude-sonnet-4-5',
      stdin: '{"role":"user","content":"Hello"}\n',
      stdout: `{"model":"claude-sonnet-4-5","_meta":{"route":{"provider":"anthropic","reason":"anthropic is listed as the provider of claude-sonnet-4-5"}}}
{"role":"user","content":"Hello"}
`,
    },
  ],
  *run(records, options, context) {
    const choice = chosen(options.model, context);
    for (const conversation of conversations(records)) yield* route(conversation, choice);
  },
});

function chosen(option: string | undefined, { env }: Context): Choice | undefined {
  const name = option ?? env.AI_MODEL;
  return name ? resolveModel(name) : undefined;
}

function route(conversation: Conversation, choice: Choice | undefined): Iterable<Rec> {
  const head = conversation.head?.rec.value;
  const before = isObject(head) ? head : {};
  if (choice === undefined) {
    if (typeof before.model === 'string') return emit(conversation);
    throw new Failure(EXIT.config, 'no model is named', { hint: 'use -m PROVIDER/MODEL, or set AI_MODEL' });
  }
  const after = headWith(before, choice);
  if (before.model === choice.model && isObject(before._meta) && isObject(before._meta.route))
    return emit(conversation);
  const rec = record(after, conversation.head?.rec);
  return emit({ ...conversation, head: { ...conversation.head, rec } }, conversation);
}

function headWith(head: JsonObject, { provider, model, reason }: Choice): JsonObject {
  const meta = isObject(head._meta) ? head._meta : {};
  return { ...head, model, _meta: { ...meta, route: { provider: provider.name, reason } } };
}
