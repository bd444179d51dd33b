// --dry-run: the request as it would be sent, with its secrets masked.
import type { Conversation } from '../../lib/formats/conversation.ts';
import { describe, Losses } from '../../lib/formats/losses.ts';
import { Failure } from '../../lib/ir/failure.ts';
import type { JsonObject } from '../../lib/ir/json.ts';
import { defaultModel, LOCAL, localOnly } from './default-model.ts';
import { authorised, type Request, requestFor } from './request.ts';
import { masker, secretsOf } from './secrets.ts';
import type { Session } from './session.ts';
import { namesOf, type Target, targetOf } from './target.ts';

/** `{"type":"request","method":…,"url":…,"headers":{…},"body":{…}}`. A key that is missing is said and no error. */
export async function dryRun(conversation: Conversation, session: Session, streamed: boolean): Promise<JsonObject> {
  const { settings, context, options, flags } = session;
  const { first } = namesOf(conversation, options);
  const name = first === LOCAL ? await localOnly(session) : (first ?? (await defaultModel(session)));
  const target = targetOf(name, conversation, { settings, context, baseUrl: options.baseUrl });
  const losses = new Losses();
  const request = requestFor(conversation, target, { streamed, cachePrompt: options.cachePrompt, flags }, losses);
  for (const loss of losses.all) session.note(describe(loss));
  return {
    type: 'request',
    method: 'POST',
    url: request.url,
    headers: { 'content-type': 'application/json', ...(await headersOf(request, target, session)) },
    body: request.body,
  };
}

/** Masked. Nothing is sent, and so a token that would be asked for is not. */
async function headersOf(
  request: Request,
  target: Target,
  session: Session,
): Promise<Readonly<Record<string, string>>> {
  try {
    const post = async () => ({ access_token: '***' });
    const sent = await authorised(request, JSON.stringify(request.body), target, { now: session.now, post });
    const mask = masker(secretsOf(target, sent));
    const masked = Object.entries(sent).map(([header, value]) => [
      header,
      mask(value).replace(/Signature=.*/, 'Signature=***'),
    ]);
    return Object.fromEntries(masked);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    session.note(`${error.message}${error.hint ? ` (${error.hint})` : ''}`);
    return request.headers;
  }
}
