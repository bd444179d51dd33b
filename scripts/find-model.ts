// Prints a model that can be asked here: by a key in the environment, or on a server of this machine. Prints nothing if there is none.
const KEYS: readonly (readonly [string, string])[] = [
  ['ANTHROPIC_API_KEY', 'anthropic/claude-haiku-4-5'],
  ['OPENAI_API_KEY', 'openai/gpt-4o-mini'],
];

const SERVERS: readonly (readonly [string, string])[] = [
  ['ollama', 'http://127.0.0.1:11434/v1/models'],
  ['llamacpp', 'http://127.0.0.1:8080/v1/models'],
  ['lmstudio', 'http://127.0.0.1:1234/v1/models'],
];

async function served(provider: string, url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(500) });
    const { data } = (await response.json()) as { data?: { id: string }[] };
    return data?.[0] && `${provider}/${data[0].id}`;
  } catch {
    return undefined;
  }
}

const keyed = KEYS.find(([name]) => process.env[name])?.[1];
const model =
  keyed ??
  (await Promise.all(SERVERS.map(([provider, url]) => served(provider, url)))).find((found) => found !== undefined);
if (model) console.log(model);

export {};
