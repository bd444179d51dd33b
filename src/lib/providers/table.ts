// The wire APIs: where a request goes, and how it says whose it is. Named like the dialects that they speak.
export interface WireApi {
  /** The path under the provider's base URL. */
  readonly path: string;
  headers(key: string | undefined): Record<string, string>;
  /** What else the body says if the answer is to be streamed. */
  readonly streaming: { readonly [field: string]: unknown };
}

export const APIS: { readonly [api: string]: WireApi } = {
  // https://platform.claude.com/docs/en/api/overview
  anthropic: {
    path: '/messages',
    headers: (key) => ({ 'anthropic-version': '2026-10-21', ...(key === undefined ? {} : { 'x-api-key': key }) }),
    streaming: { stream: true },
  },
  // https://platform.openai.com/docs/api-reference/chat
  openai: {
    path: '/chat/completions',
    headers(key): Record<string, string> {
      return key === undefined ? {} : { authorization: `Bearer ${key}` };
    },
    streaming: { stream: true, stream_options: { include_usage: true } },
  },
};
