// What the same model is called anywhere.

/** An id without path, region, maker, date, revision and variant; dots as dashes: `us.anthropic.claude-sonnet-4-5-20250929-v1:0` is `claude-sonnet-4-5`. */
export function canonical(id: string): string {
  const lower = id.toLowerCase();
  return lower
    .slice(lower.lastIndexOf('/') + 1)
    .replace(/^~/, '')
    .replace(/^(us|eu|apac|au|jp|ca|in|global)\./, '')
    .replace(
      /^(anthropic|openai|amazon|meta|mistral|deepseek|moonshotai|moonshot|minimax|google|qwen|zai|nvidia)\./,
      '',
    )
    .replace(/:(free|nitro|floor|extended|thinking|exacto|batch)$|-batch$/, '')
    .replace(/-v\d+(:\d+)?$|:\d+$/, '')
    .replace(/-(20\d{6}|20\d{2}-\d{2}-\d{2})$/, '')
    .replaceAll('.', '-');
}

/** The words and numbers of a name: `gpt5.2-mini` has gpt, 5, 2 and mini. */
export function terms(name: string): string[] {
  return canonical(name).match(/\d+|[a-z]+/g) ?? [];
}
