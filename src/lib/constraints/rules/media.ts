// Images, sounds and documents: where they may stand, of what kind and size, and how many.

import { modelName } from '../../conversation/model-name.ts';
import type { FormatName, MediaPart, Message, Part, ToolResultPart } from '../../conversation/types.ts';
import { isTaken, standardBase64, standardMedia } from '../../dialects/codec/base64.ts';
import { bytesOf } from '../../dialects/codec/data-url.ts';
import { constraintsOf, demanding } from '../../dialects/table.ts';
import { messageRule, quoted } from './build.ts';
import { isResult } from './calls.ts';
import type { Checked, Finding, Problem, Rule } from './types.ts';

const isMedia = (part: Part): part is MediaPart => part.type === 'media';

/** The media of a message, those in its results too. */
function mediaIn(parts: readonly Part[]): MediaPart[] {
  return parts.flatMap((part) => (part.type === 'tool_result' ? mediaIn(part.parts) : isMedia(part) ? [part] : []));
}

/** openai: https://platform.openai.com/docs/api-reference/chat/create, messages by role; the others have no such parts for the assistant. */
const place = messageRule({
  name: 'media-place',
  formats: demanding(({ mediaRoles }) => mediaRoles),
  find({ role, parts }, { format }) {
    const shown = constraintsOf(format).mediaOfResults ? mediaIn(parts) : parts.filter(isMedia);
    if (isMediaRole(role, format) || shown.length === 0) return [];
    return shown.map(({ kind }) => ({
      what: `a message of the role "${role}" holds ${A[kind]}`,
      mend: 'move it to a user message',
    }));
  },
  mend(message, { format }) {
    if (!constraintsOf(format).mediaOfResults || message.role !== 'tool') return undefined;
    const parts = message.parts.map(
      (part): Part =>
        part.type === 'tool_result' ? { ...part, parts: part.parts.filter((inner) => !isMedia(inner)) } : part,
    );
    return { now: { ...message, parts }, did: 'moved media out of a result' };
  },
});

const isMediaRole = (role: Message['role'], format: FormatName): boolean =>
  constraintsOf(format).mediaRoles?.includes(role) ?? true;

const A = { image: 'an image', audio: 'a sound', video: 'a video', document: 'a document' } as const;

/** Media taken out of results go into a message of the user behind all of them. */
const hoisted: Rule = {
  ...place,
  repair(request) {
    const mended = place.repair?.(request);
    if (mended === undefined) return undefined;
    const waiting: Part[] = [];
    const messages: Message[] = [];
    mended.request.messages.forEach((message, i) => {
      const before = request.messages[i] as Message;
      if (before.role !== 'tool' && waiting.length > 0) messages.push({ role: 'user', parts: waiting.splice(0) });
      if (before !== message) for (const one of mediaIn(before.parts)) waiting.push(one);
      messages.push(message);
    });
    if (waiting.length > 0) messages.push({ role: 'user', parts: waiting });
    return { ...mended, request: { ...request, messages } };
  },
};

const kinds = messageRule({
  name: 'media-kind',
  formats: demanding(({ refusedMedia, imageTypes }) => refusedMedia ?? imageTypes),
  find: ({ parts }, request) => mediaIn(parts).flatMap((part) => wrongKind(part, request)),
});

/** Whether a message of this role may not hold it. */
export function isRefused(part: MediaPart, role: Message['role'], request: Checked): boolean {
  const { format } = request;
  return !isMediaRole(role, format) || wrongKind(part, request).length > 0 || wrongSource(part, format).length > 0;
}

function wrongKind(part: MediaPart, { format, head }: Checked): Problem[] {
  const { kind, source } = part;
  const { refusedMedia, imageTypes: types, documentsAsText, otherServers, audioModels } = constraintsOf(format);
  if (refusedMedia?.includes(kind))
    return [{ what: `the API does not support ${kind} input`, mend: 'remove it, or describe it' }];
  const mime = 'mime' in source ? source.mime : undefined;
  if (kind === 'image' && source.type === 'data' && types && mime !== undefined && !types.includes(mime))
    return [{ what: `an image of the type ${quoted(mime)}`, mend: `use ${types.join(', ')}` }];
  if (documentsAsText && kind === 'document' && source.type === 'data' && mime !== 'application/pdf')
    return [{ what: `a document of the type ${quoted(mime)}`, mend: 'use application/pdf, or give its text' }];
  const model = modelName(head?.model);
  // `Content blocks are expected to be either text or image_url type`, recorded.
  if (
    audioModels &&
    kind === 'audio' &&
    model?.family === otherServers?.ownFamily &&
    !audioModels.test(model?.id ?? '')
  )
    return [{ what: `${head?.model} does not support audio`, mend: 'use a model for audio' }];
  return [];
}

/** Data that is no base64, and addresses that are none: what converters leave of a source that they do not know (`data:undefined;base64,…`). */
const sources = messageRule({
  name: 'media-source',
  formats: demanding(({ results }) => results),
  find: ({ parts }, { format }) => mediaIn(parts).flatMap((part) => wrongSource(part, format)),
  mend(message, { format }) {
    const parts = standardMedia(message.parts, format);
    return parts === message.parts
      ? undefined
      : { now: { ...message, parts }, did: 'wrote the data of media in standard base64' };
  },
});

function wrongSource({ kind, source }: MediaPart, format: FormatName): Problem[] {
  if (source.type === 'data') {
    if (source.data === '') return [{ what: `${A[kind]} without data`, mend: 'remove it' }];
    if (source.data.startsWith('data:'))
      return [{ what: `the data of ${A[kind]} begins with "data:"`, mend: 'write only the base64 data' }];
    if (source.mime !== undefined && !source.mime.includes('/'))
      return [{ what: `${A[kind]} of the type ${quoted(source.mime)}`, mend: 'name its media type' }];
    return wrongBytes(source.data, kind, format);
  }
  if (source.type !== 'url') return [];
  const bytes = bytesOf(source);
  if (bytes && wrongBytes(bytes.data, kind, format).length > 0) return wrongBytes(bytes.data, kind, format);
  if (constraintsOf(format).documentUrlsRefused && kind === 'document' && !source.url.startsWith('data:'))
    return [{ what: 'a file given as a URL', mend: 'send its data or a file id' }];
  const known = /^(https?|gs|s3|data):/i.test(source.url) && !source.url.startsWith('data:undefined');
  return known || (constraintsOf(format).anyFileUri && kind !== 'image')
    ? []
    : [{ what: `${quoted(source.url)} is not a URL`, mend: 'give an https URL, or the data' }];
}

/** Line breaks are passed over. */
function wrongBytes(data: string, kind: MediaPart['kind'], format: FormatName): Problem[] {
  const bare = data.replace(/[\r\n]+/g, '');
  if (isTaken(bare, format)) return [];
  return isTaken(standardBase64(bare), format)
    ? [{ what: `the data of ${A[kind]} is not in standard base64`, mend: 'use "+" and "/", and pad it with "="' }]
    : [{ what: `the data of ${A[kind]} is not base64`, mend: 'encode it' }];
}

/** https://platform.claude.com/docs/en/build-with-claude/vision#image-limits, https://docs.aws.amazon.com/bedrock API_runtime_Message. */
const size = messageRule({
  name: 'image-size',
  formats: demanding(({ imageBytes }) => imageBytes),
  find({ parts }, { format }) {
    const { imageBytes: most = Number.POSITIVE_INFINITY } = constraintsOf(format);
    const images = mediaIn(parts).filter(
      ({ kind, source }) => kind === 'image' && source.type === 'data' && (source.data.length * 3) / 4 > most,
    );
    return images.map(() => ({ what: `an image of more than ${most / 2 ** 20} MB`, mend: 'make it smaller' }));
  },
});

const count: Rule = {
  name: 'image-count',
  formats: demanding(({ images }) => images),
  check({ format, messages }): Finding[] {
    const { images: most = Number.POSITIVE_INFINITY } = constraintsOf(format);
    const images = messages.reduce(
      (sum, { parts }) => sum + mediaIn(parts).filter(({ kind }) => kind === 'image').length,
      0,
    );
    return images <= most
      ? []
      : [
          {
            rule: 'image-count',
            what: `there are ${images} images, but at most ${most} are allowed`,
            mend: 'remove some',
          },
        ];
  },
};

/** `all content must be type "text" if "is_error" is true`: https://github.com/ericc-ch/copilot-api/pull/196 */
const failed = messageRule({
  name: 'error-result',
  formats: demanding(({ failedResultsText }) => failedResultsText),
  find: ({ parts }) => parts.filter(isMixedError).map(() => MIXED),
  mend(message) {
    const shown = message.parts
      .filter(isMixedError)
      .flatMap((part) => part.parts.filter((inner) => inner.type !== 'text'));
    const parts = message.parts.map((part): Part => (isMixedError(part) ? textAlone(part) : part));
    return {
      now: { ...message, parts: [...parts, ...shown] },
      did: 'moved the files of a failed result after the results',
    };
  },
});

/** Nothing left is spelled as an empty text, since an empty list is refused. */
function textAlone(part: ToolResultPart): Part {
  const parts = part.parts.filter((inner) => inner.type === 'text');
  return { ...part, parts, ...(parts.length === 0 && { form: { ...part.form, anthropic: 'string' } }) };
}

const isMixedError = (part: Part): part is ToolResultPart =>
  isResult(part) && part.error === true && part.parts.some((inner) => inner.type !== 'text');

const MIXED: Problem = { what: 'a failed result contains more than text', mend: 'put the rest after the results' };

/**
 * bedrock: `name` has letters, digits, single spaces, "-", parentheses and brackets, and a text stands beside the document.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
const documents = messageRule({
  name: 'document',
  formats: ['bedrock'],
  find({ parts, form }) {
    const found = parts.filter((part): part is MediaPart => isMedia(part) && part.kind === 'document');
    const names = found.filter(
      ({ name }) => name !== undefined && (!/^[A-Za-z0-9 ()[\]-]+$/.test(name) || /\s\s/.test(name)),
    );
    // The text that stands beside a document alone is not read.
    const alone = found.length > 0 && form?.bedrock !== 'filled' && !parts.some(({ type }) => type === 'text');
    return [
      ...names.map(({ name }) => ({
        what: `the name ${quoted(name)} of a document`,
        mend: 'use letters, digits, single spaces, "-", "()" and "[]"',
      })),
      ...(alone ? [{ what: 'a message has a document but no text', mend: 'add a text' }] : []),
    ];
  },
});

export const media: readonly Rule[] = [hoisted, kinds, sources, size, count, failed, documents];
