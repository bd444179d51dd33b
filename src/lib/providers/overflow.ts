// Whether an error says that the conversation is too long for the model. Providers say it in some forty ways, few of them with a code.
// A wrong yes throws conversation away, so what only looks like it (rate limits, quotas, limits of the answer, images) is ruled out first.

interface Overflow {
  /** Tokens that the model takes, where the message tells. */
  readonly limit?: number;
  /** Tokens that the request had. */
  readonly asked?: number;
}

/** What can mean nothing else. */
const SURE: readonly RegExp[] = [
  /context_?(length|window|size)_?(exceeded|error|limit|overflow)|exceed_context|context_too_(long|large)|(prompt|input)_too_(long|large)|tokens_limit_reached/i,
  /\bexceed\w*\b[^.]{0,60}\bcontext (window|length|size)|\bcontext (window|length|size|limit) (is |was )?(exceeded|reached|full)/i,
  /\binputs?\b\W{0,3}tokens \+ \W?max_new_tokens/i,
];

/** What is another matter, though it speaks of tokens, limits and lengths. */
const OTHER: readonly RegExp[] = [
  // Rates: waiting helps, shortening does not.
  /throttl|rate.?limit|too many requests|slow down|per[- _](minute|min\b|day|hour|second)|\b[TR]P[MDS]\b/i,
  /(try again|retry)[^.]{0,30}\b(in \d|later|after)|please wait|overloaded|at capacity|high demand/i,
  /quota|billing|insufficient (balance|credit|funds)|credit balance|payment|spend(ing)? limit/i,
  // Keys.
  /\b(invalid|expired|revoked|missing|incorrect)\b[^.]{0,20}(key|token|credential)|token[^.]{0,10}(expired|invalid|revoked)|unauthori[sz]ed/i,
  // The limit of the answer alone.
  /max_?(completion_|output_|new_)?tokens[`'": ]{0,4}(\d+ )?(>|is too (large|high|small)|must be|cannot be|should be)/i,
  /maximum (allowed )?(number of )?(output|completion) tokens|maximum tokens (value|you requested)|(output|completion) (token )?limit|budget_tokens/i,
  // Caches have a least size.
  /cach(ed|ing)[^.]{0,40}(minimum|at least|too small)|minimum (token|cache)/i,
  // Syntax.
  /unexpected (token|end|character)|invalid (json|character|escape|unicode)|(parse|syntax) error|not valid json/i,
  // Single fields and attachments.
  /(image|picture|pdf|file|audio|video|document|attachment|media|dimensions?|base64)\b[^.]{0,60}(exceeds?|too (large|big|many|long|small)|maximum|at most|up to|limit)/i,
  /(string|name|id|identifier|description|schema|key|metadata|stop)['"`\])]{0,3}:? (is )?too (long|short|large|many)|too many (tools|functions|images|stop|messages|enum|properties|items)|(name|id|identifier|description|pattern)\b[^.]{0,40}(at most|maximum of|up to|longer than|exceeds?) \d+ char/i,
];

const NOUN = '(?:context|prompt|input|inputs|request|message|messages|conversation|history|chat|sequence|text|tokens?)';
const SIZE = '(?:length|window|size|limit|len|count|capacity|maximum|budget|tokens?)';
const OVER =
  '(?:exceed(?:s|ed|ing)?|beyond|above|over|overflow(?:s|ed)?|longer than|larger than|greater than|more than|bigger than|surpass(?:es|ed)?)';

const YES: readonly RegExp[] = [
  /request_too_large|(prompt|input)too(long|large)|max_(context|prompt|input)_(length|tokens)_exceeded/i,
  new RegExp(`\\b${NOUN}\\b[^.]{0,60}\\btoo (long|large|big|many)\\b`, 'i'),
  new RegExp(`\\btoo (long|large|big|many tokens)\\b[^.]{0,60}\\b(${NOUN}|model|max\\w*)\\b`, 'i'),
  // "input length (5) exceeds the model's context length", "tokens … longer than the maximum model length", "prompt exceeds max length"
  new RegExp(
    `\\b${NOUN}\\b.{0,160}?\\b${OVER}\\b.{0,80}?\\b(context|token|tokens|prompt|input|sequence|model|max\\w*|limit|allowed)\\b`,
    'is',
  ),
  // "exceeded model token limit", "exceeds the available context size"
  new RegExp(`\\b${OVER}\\b.{0,60}?\\b(context|token|tokens|prompt|input|sequence)\\b.{0,20}?\\b${SIZE}\\b`, 'is'),
  // "maximum context length is 4096", "context length is only 8192", "configured context size is 32768"
  /\b(context|prompt|input|sequence)\b (window|length|size|limit)[^.\d]{0,30}(is|of|:|=|only)[^.\d]{0,20}\d/i,
  new RegExp(`\\b${NOUN}\\b[^.]{0,60}\\b(cannot|must not|may not|can't) exceed\\b`, 'i'),
  /\b(only|just) (supports?|accepts?|allows?)( up to)?[^.\d]{0,20}\d[\d,_]*\s*(input |context |prompt )?tokens/i,
  /\btokens?\b[^.]{0,80}\bonly supports?\b|\b(max_new_tokens|inputs?)\b[^.]{0,60}\bmust be (<=|≤|less|at most|smaller)/i,
  /\breduce\b[^.]{0,40}\b(length|size|number|amount)\b[^.]{0,30}\b(prompt|messages?|input|conversation|context|completion)\b|\b(shorten|reduce|trim) (your|the) (prompt|input|messages|conversation|context)/i,
  /\brange of input length\b|\btokens to keep from the initial prompt\b|\bcontext (the )?overflows?\b|\bout of context\b/i,
  /\b(max\w*|number of) input (tokens?|characters?|length)\b[^.]{0,40}(\bis\b|exceed)/i,
  /(上下文|输入|提示词?|请求|对话|tokens?).{0,20}(超出|超过|过长|太长|超限)|(超出|超过).{0,20}(上下文|最大长度|输入长度|长度限制|tokens?|模型)/i,
  /(コンテキスト|入力|プロンプト).{0,20}(超え|長すぎ)/,
];

/** Enough of a message to recognise it. */
const READ = 4000;

/**
 * What an error says about the length of the conversation; undefined if that is not what it is about. `text` is the body, or the message,
 * or a finish reason; `status` the HTTP status.
 */
export function overflowIn(status: number, text: string): Overflow | undefined {
  const said = text.slice(0, READ);
  if (status === 401 || status === 402 || status === 403 || status === 404) return undefined;
  const says = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(said));
  if (says(SURE)) return numbersIn(said);
  if (says(OTHER)) return undefined;
  if (says(YES)) return numbersIn(said);
  // Cerebras and proxies refuse a body that is too large without a word.
  const silent = said.trim() === '' || /\(no body\)/i.test(said);
  return status === 413 || (status === 400 && silent) ? {} : undefined;
}

/** Of two numbers the larger is what was asked for and the smaller the limit. One alone, or more, may be anything. */
function numbersIn(text: string): Overflow {
  const found = [...text.matchAll(/\d[\d,_]*/g)].map(([digits]) => Number(digits.replace(/[,_]/g, '')));
  const [limit, asked, more] = [...new Set(found.filter((number) => number >= 1000))].sort((a, b) => a - b);
  return asked === undefined || more !== undefined ? {} : { limit, asked };
}
