// What the Gemini API refuses of its contents. https://ai.google.dev/api/generate-content

import { isObject, type Json, type JsonObject, textIn } from '../../json/values.ts';
import { lookup } from '../codec/fields.ts';
import { sniff } from '../codec/media-signatures.ts';
import {
  type Finding,
  listOf,
  type Mended,
  objectOf,
  ofBlocks,
  ofHead,
  ofMessages,
  quoted,
  type RecordRule,
  type Records,
  without,
} from '../record-rules.ts';
import { NO_SIGNATURE, needsSignatures } from './signatures.ts';

const DATA =
  'text inlineData fileData functionCall functionResponse executableCode codeExecutionResult toolCall toolResponse audioTranscription'.split(
    ' ',
  );
const dataOf = (part: JsonObject): string[] =>
  DATA.filter((field) => part[field] !== undefined && part[field] !== null);

/** `oneof field 'data' is already set`, or `contents.parts must not be empty`. */
const oneDatum = ofBlocks({
  name: 'part-data',
  field: 'parts',
  find: (part) => {
    const data = dataOf(part);
    if (data.length === 1 || (data.length === 0 && part.thoughtSignature !== undefined)) return undefined;
    if (data.length === 0) return { what: 'a part is empty', mend: 'remove it' };
    return { what: `a part contains ${data.join(' and ')}`, mend: 'make a part of each' };
  },
  mend: (part) => {
    const data = dataOf(part);
    const [, ...others] = data;
    if (data.length === 0) return [];
    return [without(part, ...others), ...others.map((field) => ({ [field]: part[field] as Json }))];
  },
  did: 'split parts so that each has one data field',
});

const ROLES: { readonly [role: string]: string } = { assistant: 'model', system: 'user', tool: 'user' };

/** `Please use a valid role: user, model.` */
const roles = ofMessages({
  name: 'role',
  find: ({ role }) =>
    role === undefined || role === 'user' || role === 'model' || role === 'function'
      ? undefined
      : { what: `the role ${quoted(role)}`, mend: 'use "user" or "model"' },
  mend: (content) => ({
    left: [{ ...content, role: lookup(ROLES, content.role) ?? 'user' }],
    did: 'gave a content a role of the API',
  }),
});

const BASE64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2,3}=*)?$/;

const signatures = ofBlocks({
  name: 'thought-signature',
  field: 'parts',
  find: ({ thoughtSignature: text }) =>
    typeof text !== 'string' || BASE64.test(text)
      ? undefined
      : { what: 'a thought signature is not base64', mend: 'remove it' },
  mend: (part) => [without(part, 'thoughtSignature')],
  did: 'removed an invalid thought signature',
});

const isThird = ({ head }: Records): boolean => needsSignatures(textIn(head?.model));
const callsIn = (content: JsonObject | undefined): JsonObject[] =>
  listOf(content?.parts).filter(({ functionCall }) => functionCall !== undefined);
const answersIn = (content: JsonObject | undefined): JsonObject[] =>
  listOf(content?.parts).filter(({ functionResponse }) => functionResponse !== undefined);
const speaks = (content: JsonObject): boolean => content.role !== 'model' && answersIn(content).length === 0;

/** Where the user spoke last: looked for once. */
function lastSpoken({ messages }: Records): number {
  const found = spokenAt.get(messages) ?? messages.findLastIndex(speaks);
  spokenAt.set(messages, found);
  return found;
}

const spokenAt = new WeakMap<object, number>();

/** `Function call is missing a thought_signature`: the first of each step since the user spoke. */
const signedCalls = ofMessages({
  name: 'signed-calls',
  find: (content, records, i) => {
    const [first] = callsIn(content);
    if (!first || first.thoughtSignature !== undefined || !isThird(records)) return undefined;
    if (i < lastSpoken(records)) return undefined;
    return { what: 'a call has no thought signature', mend: `restore it, or write "${NO_SIGNATURE}"` };
  },
  mend: (content) => {
    const parts = listOf(content.parts);
    const at = parts.findIndex(({ functionCall }) => functionCall !== undefined);
    return {
      left: [{ ...content, parts: parts.with(at, { ...parts[at], thoughtSignature: NO_SIGNATURE }) }],
      did: 'added the placeholder for a lost thought signature to a call',
    };
  },
});

const mimes = ofBlocks({
  name: 'media-kind',
  field: 'parts',
  find: ({ inlineData }) =>
    isObject(inlineData) && typeof inlineData.mimeType !== 'string'
      ? { what: 'data without a type', mend: 'set it' }
      : undefined,
  mend: (part) => {
    const data = objectOf(part.inlineData);
    const mimeType = sniff(textIn(data.data));
    return mimeType === undefined ? [] : [{ ...part, inlineData: { ...data, mimeType } }];
  },
  did: 'added the type of data, or removed them',
});

/** `Unsupported MIME type: …`: https://ai.google.dev/gemini-api/docs/image-understanding#supported-formats */
const REFUSED = /^(image\/(svg\+xml|bmp|tiff|x-icon)|application\/(msword|zip|vnd\.(openxmlformats|ms)-.*))/;

const refusedTypes = ofBlocks({
  name: 'media-type',
  field: 'parts',
  find: ({ inlineData }) => {
    const { mimeType } = objectOf(inlineData);
    return typeof mimeType === 'string' && REFUSED.test(mimeType)
      ? { what: `bytes of the type ${quoted(mimeType)}`, mend: 'use a type that the API supports' }
      : undefined;
  },
  mend: () => [],
  did: 'removed data that the API cannot read',
});

const responses = ofBlocks({
  name: 'response-object',
  field: 'parts',
  find: ({ functionResponse: answer }) =>
    isObject(answer) && answer.response === undefined
      ? { what: 'a function response has no response', mend: 'give it an object' }
      : undefined,
  mend: (part) => [{ ...part, functionResponse: { ...objectOf(part.functionResponse), response: { output: '' } } }],
  did: 'added an empty response to a function response',
});

/** `the number of function response parts is equal to the number of function call parts of the function call turn` */
const together: RecordRule = {
  name: 'responses-together',
  check({ messages }): Finding[] {
    return messages.flatMap((content, i): Finding[] => {
      const wanted = callsIn(content).length;
      if (wanted === 0) return [];
      // Contents of the model in a row are one turn.
      let behind = i + 1;
      while (messages[behind]?.role === 'model') behind += 1;
      const turn = messages.slice(i, behind).reduce((sum, each) => sum + callsIn(each).length, 0);
      const next = answersIn(messages[behind]).length;
      // What has no answers at all, or one too many, is another rule's.
      if (behind >= messages.length || next >= turn || following(messages, behind - 1) < turn) return [];
      const what = 'the responses to the calls are not in one content directly after them';
      return [
        { rule: 'responses-together', message: behind, what, mend: 'put them into one, directly after the calls' },
      ];
    });
  },
  mend(records) {
    const found = this.check(records);
    if (found.length === 0) return undefined;
    const joined = new Set(found.map(({ message = 0 }) => message));
    const messages: JsonObject[] = [];
    const did: Mended[] = [];
    for (let i = 0; i < records.messages.length; i += 1) {
      const content = records.messages[i] as JsonObject;
      if (!joined.has(i)) {
        messages.push(content);
        continue;
      }
      let end = i + 1;
      while (end < records.messages.length && records.messages[end]?.role !== 'model') end += 1;
      const parts = records.messages.slice(i, end).flatMap((each) => listOf(each.parts));
      const isAnswer = (part: JsonObject): boolean => part.functionResponse !== undefined;
      messages.push({ ...content, parts: [...parts.filter(isAnswer), ...parts.filter((part) => !isAnswer(part))] });
      did.push({ rule: this.name, message: i, did: 'put the responses into one content' });
      i = end - 1;
    }
    return { records: { ...records, messages }, did };
  },
};

/** `functionResponse.name` is that of a call: the type's own words. Where nothing was called, other rules speak. */
const names: RecordRule = {
  name: 'response-name',
  check({ messages }): Finding[] {
    const called = new Set(
      messages.flatMap((content) => callsIn(content).map(({ functionCall }) => objectOf(functionCall).name)),
    );
    return messages.flatMap((content, i): Finding[] => {
      const strange = answersIn(content).find(
        ({ functionResponse }) => !called.has(objectOf(functionResponse).name ?? null),
      );
      if (strange === undefined || called.size === 0) return [];
      const what = `a function response has the name ${quoted(objectOf(strange.functionResponse).name)}, and nothing of that name was called`;
      return [{ rule: 'response-name', message: i, what, mend: 'give it the name of its call' }];
    });
  },
  /** Where there is one response for each call, they answer in their order. */
  mend(records) {
    const found = new Set(this.check(records).map(({ message }) => message));
    const did: Mended[] = [];
    const messages = records.messages.map((content, i) => {
      if (!found.has(i)) return content;
      let first = i;
      while (records.messages[first - 1]?.role === 'model') first -= 1;
      const calls = records.messages.slice(first, i).flatMap(callsIn);
      if (calls.length !== answersIn(content).length) return content;
      did.push({ rule: 'response-name', message: i, did: 'gave the responses the names of their calls' });
      let next = 0;
      const parts = listOf(content.parts).map((part) => {
        if (part.functionResponse === undefined) return part;
        const { name = null } = objectOf(calls[next++]?.functionCall);
        return { ...part, functionResponse: { ...objectOf(part.functionResponse), name } };
      });
      return { ...content, parts };
    });
    return did.length > 0 ? { records: { ...records, messages }, did } : undefined;
  },
};

/** How many answers stand behind a content, before the model speaks again. */
function following(messages: readonly JsonObject[], i: number): number {
  let count = 0;
  for (let at = i + 1; at < messages.length && messages[at]?.role !== 'model'; at += 1)
    count += answersIn(messages[at]).length;
  return count;
}

const system = ofHead({
  name: 'system-text',
  find: ({ systemInstruction }) =>
    listOf(objectOf(systemInstruction).parts).some((part) => typeof part.text !== 'string')
      ? { what: 'the system instruction contains more than text', mend: 'move it to a user content' }
      : undefined,
  mend: (head) => {
    const instruction = objectOf(head.systemInstruction);
    const parts = listOf(instruction.parts).filter(({ text }) => typeof text === 'string');
    return { ...head, systemInstruction: { ...instruction, parts } };
  },
  did: 'removed everything but text from the system instruction',
});

export const gemini: readonly RecordRule[] = [
  roles,
  oneDatum,
  signatures,
  mimes,
  refusedTypes,
  responses,
  together,
  names,
  signedCalls,
  system,
];
