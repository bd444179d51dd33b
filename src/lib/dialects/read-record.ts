// Reading records with their place: what is wrong deep in one is told with its file and line.

import { isHidden } from '../conversation/hidden.ts';
import type { Message } from '../conversation/types.ts';
import { badInput, Failure } from '../failure/failure.ts';
import type { Rec } from '../json/record.ts';
import { asString, isObject, type JsonObject, ShapeError } from '../json/values.ts';
import type { Identity } from './detect.ts';
import type { Format, Request } from './types.ts';

/** A message, or the one that a whole reply is. Throws a ShapeError. */
export const readAs = (native: JsonObject, { format, kind }: Pick<Identity, 'format' | 'kind'>): Message =>
  kind === 'reply' ? readReplyAs(native, format) : format.readMessage(native);

function readReplyAs(native: JsonObject, format: Format): Message {
  const message = format.readReply(native);
  checkText(message.by?.model, 'model');
  const { ext: _, ...counts } = message.usage ?? {};
  for (const [field, count] of Object.entries(counts))
    if (count !== undefined && count !== null && typeof count !== 'number')
      throw new ShapeError(`usage: ${field}`, 'a number', count);
  return message;
}

/** A head, and the messages that it keeps. What programs take for text is text. Throws a ShapeError. */
export function readHeadAs(native: JsonObject, format: Format): Request {
  const request = format.readHead(native);
  const { model, tools, toolChoice, responseFormat } = request.head;
  checkText(model, 'model');
  for (const [index, { name, description }] of (tools ?? []).entries()) {
    asString(name, `tools[${index}].name`);
    checkText(description, `tools[${index}].description`);
  }
  checkText(responseFormat?.name, 'the name of the response format');
  for (const name of toolChoice?.names ?? []) asString(name, 'the name of the chosen tool');
  return request;
}

/** Some clients write null for what is not there. */
function checkText(value: unknown, path: string): void {
  if (value !== undefined && value !== null) asString(value, path);
}

/** The message of a record. Throws a Failure (65) with the record's place if it is not shaped as its format says. */
export function readMessageAt(rec: Rec, identity: Identity): Message {
  return reading(rec, () => readAs(rec.value as JsonObject, identity));
}

/** The message that a value is in a dialect, if it is one and is not hidden: none, or one. Throws a ShapeError. */
export function messageIn(value: unknown, format: Format): Message[] {
  if (!isObject(value) || isHidden(value)) return [];
  const kind = format.recognise(value)?.kind;
  return kind === 'message' || kind === 'reply' ? [readAs(value, { format, kind })] : [];
}

/** The head of a record, and the messages that it keeps. Throws a Failure (65) with the record's place. */
export function readHeadAt(rec: Rec, { format }: Identity): Request {
  const { head, messages } = reading(rec, () => readHeadAs(rec.value as JsonObject, format));
  // A model that is null is none that is named.
  return { head: head.model === null ? { ...head, model: undefined } : head, messages };
}

function reading<T>(rec: Rec, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw misshapen(error, rec);
  }
}

/** An error met while a record was read or written, as the failure of that record. */
export function misshapen(error: unknown, rec: Rec): unknown {
  if (error instanceof ShapeError) return badInput(rec, `cannot read the record: ${error.message}`);
  if (error instanceof RangeError) return badInput(rec, 'cannot read the record: nested too deeply or too large');
  // Not every value deep in a record is looked at before it is used.
  if (error instanceof TypeError) return badInput(rec, 'cannot read the record: a value has the wrong type');
  return error;
}

/** Whether an error is about the data, so that `--keep-going` can go on. */
export function isAboutData(error: unknown): error is Failure {
  return error instanceof Failure && error.status === 65;
}
