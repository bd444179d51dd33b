// The endpoint of Anthropic Messages. https://platform.claude.com/docs/en/api/messages
import type { JsonObject } from '../../json/values.ts';
import { type Endpoint, withModel } from '../endpoint.ts';

const VERSION = '2026-10-21';

/** Parameters of the SDK that travel in headers. https://platform.claude.com/docs/en/api/beta-headers */
const IN_HEADERS: { readonly [field: string]: string } = {
  betas: 'anthropic-beta',
  user_profile_id: 'anthropic-user-profile-id',
  workspace_id: 'anthropic-workspace-id',
};

const messages: Endpoint = {
  path: () => '/messages',
  body({ betas: _b, user_profile_id: _u, workspace_id: _w, ...body }, { model, streamed }) {
    return withModel(body, 'messages', { model, ...(streamed && { stream: true }) });
  },
  headers(body) {
    const said = Object.entries(IN_HEADERS).flatMap(([field, header]) => {
      const text = inHeader(body, field);
      return text === undefined ? [] : [[header, text] as const];
    });
    return { 'anthropic-version': VERSION, ...Object.fromEntries(said) };
  },
  isLast: ({ type }) => type === 'message_stop',
};

/** The same at Google, with the model in the address and the version in the body. https://platform.claude.com/docs/en/api/claude-on-vertex-ai */
const onVertex: Endpoint = {
  ...messages,
  path: ({ model, streamed }) => `/models/${encodeURIComponent(model)}:${streamed ? 'streamRawPredict' : 'rawPredict'}`,
  body(body, request) {
    const { model: _, ...rest } = messages.body(body, request);
    return { anthropic_version: 'vertex-2023-10-16', ...rest };
  },
  headers(body, request) {
    const { 'anthropic-version': _, ...rest } = messages.headers?.(body, request) ?? {};
    return rest;
  },
};

export const endpoint: Endpoint = { ...messages, at: { 'google-vertex': onVertex } };

/** Only what no header can be broken with. */
function inHeader(body: JsonObject, field: string): string | undefined {
  const value = body[field];
  const words = (Array.isArray(value) ? value : [value]).filter(
    (word): word is string => typeof word === 'string' && /^[\w.:-]+$/.test(word),
  );
  return words.length > 0 ? words.join(',') : undefined;
}
