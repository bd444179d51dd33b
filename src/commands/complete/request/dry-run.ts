// --dry-run: the request as it would be sent, with its secrets masked.
import type { Conversation } from '../../../lib/conversion/gather.ts';
import { describe, Losses } from '../../../lib/conversion/losses.ts';
import { Failure } from '../../../lib/failure/failure.ts';
import type { JsonObject } from '../../../lib/json/values.ts';
import type { Run } from '../run.ts';
import { findModel, readModelNames } from '../select/model-name.ts';
import { resolveTarget, type Target } from '../select/target.ts';
import { authorizeRequest } from './authorize.ts';
import { type ApiRequest, buildApiRequest } from './build.ts';
import { createMask, secretsOf } from './secrets.ts';

/**
 * `{"type":"request","model":…,"credential":…,"method":…,"url":…,"headers":{…},"body":{…}}`; `credential` names its source. A missing key is a note
 * and not an error.
 */
export async function describeRequest(conversation: Conversation, run: Run): Promise<JsonObject> {
  const streamed = run.options.stream || run.options.text;
  const target = resolveTarget(await findModel(readModelNames(conversation, run).first, run), conversation, run);
  const losses = new Losses();
  const request = buildApiRequest(conversation, target, run, streamed, losses);
  for (const loss of losses.all) run.note(describe(loss));
  const { headers, from } = await maskedHeaders(request, target, run);
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

/** Nothing is sent, so an access token that would have to be requested is shown as `***`. */
async function maskedHeaders(
  request: ApiRequest,
  target: Target,
  run: Run,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly from: string | undefined }> {
  try {
    const post = async () => ({ access_token: '***' });
    const sent = await authorizeRequest(request, JSON.stringify(request.body), target, run.now, post);
    const mask = createMask(secretsOf(target, sent));
    const masked = Object.entries(sent).map(([header, value]) => [
      header,
      mask(value).replace(/Signature=.*/, 'Signature=***'),
    ]);
    return { headers: Object.fromEntries(masked), from: target.credential()?.from };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    run.note(`${error.message}${error.hint ? ` (${error.hint})` : ''}`);
    return { headers: request.headers, from: undefined };
  }
}
