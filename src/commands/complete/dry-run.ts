// --dry-run: the request as it would be sent, with its secrets masked.
import type { Conversation } from '../../lib/conversion/gather.ts';
import { describe, Losses } from '../../lib/conversion/losses.ts';
import { Failure } from '../../lib/failure/failure.ts';
import type { JsonObject } from '../../lib/json/values.ts';
import { asked } from './default-model.ts';
import { namesOf } from './named.ts';
import { authorised, type Request, requestFor } from './request.ts';
import { masker, secretsOf } from './secrets.ts';
import type { Session } from './session.ts';
import { type Target, targetOf } from './target.ts';

/** `{"type":"request","model":…,"credential":…,"method":…,"url":…,"headers":{…},"body":{…}}`; the credential is where it comes from. A key that is missing is said and no error. */
export async function dryRun(conversation: Conversation, session: Session, streamed: boolean): Promise<JsonObject> {
  const { settings, context, options, flags } = session;
  const { first } = namesOf(conversation, session);
  const target = targetOf(await asked(first, session), conversation, { settings, context, baseUrl: options.baseUrl });
  const losses = new Losses();
  const request = requestFor(conversation, target, { streamed, cachePrompt: options.cachePrompt, flags }, losses);
  for (const loss of losses.all) session.note(describe(loss));
  const { headers, from } = await headersOf(request, target, session);
  return {
    type: 'request',
    model: target.name,
    ...(from !== undefined && { credential: from }),
    method: 'POST',
    url: request.url,
    headers: { 'content-type': 'application/json', ...headers },
    body: request.body,
  };
}

/** Masked. Nothing is sent, and so a token that would be asked for is not. */
async function headersOf(
  request: Request,
  target: Target,
  session: Session,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly from: string | undefined }> {
  try {
    const post = async () => ({ access_token: '***' });
    const sent = await authorised(request, JSON.stringify(request.body), target, { now: session.now, post });
    const mask = masker(secretsOf(target, sent));
    const masked = Object.entries(sent).map(([header, value]) => [
      header,
      mask(value).replace(/Signature=.*/, 'Signature=***'),
    ]);
    return { headers: Object.fromEntries(masked), from: target.credential()?.from };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    session.note(`${error.message}${error.hint ? ` (${error.hint})` : ''}`);
    return { headers: request.headers, from: undefined };
  }
}
