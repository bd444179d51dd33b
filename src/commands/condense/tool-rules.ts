// What is done to the results and arguments of single tools: `--tool 'todo*=keep' --tool bash=clip:400`.
import { EXIT, Failure } from '../../lib/failure/failure.ts';

/** `keep`: never trimmed, only dropped with its step; `clear`: a placeholder; or at most so many tokens. */
export type ToolRule = 'keep' | 'clear' | { readonly clip: number };

/** What a person said or decided cannot be had again by calling once more. */
const KEPT =
  /^(ask|askuser|ask_user|ask_followup_question|user_input|request_user_input|todo|plan|update_plan|exit_plan)/;

/** Reads rules, each `TOOL=keep|clear|clip:N`; a `*` at the end of TOOL stands for anything. The first that fits a tool decides. */
export function readToolRules(given: readonly string[]): (tool: string) => ToolRule {
  const rules = given.map(readRule);
  return (tool) => {
    const name = tool.toLowerCase();
    return rules.find(({ fits }) => fits(name))?.rule ?? (KEPT.test(name) ? 'keep' : 'clear');
  };
}

function readRule(text: string): { fits: (name: string) => boolean; rule: ToolRule } {
  const match = /^([^=]+)=(?:(keep|clear)|clip:(\d+))$/.exec(text);
  if (match === null)
    throw new Failure(EXIT.usage, `option --tool needs TOOL=keep, TOOL=clear or TOOL=clip:TOKENS, not "${text}"`);
  const pattern = (match[1] ?? '').toLowerCase();
  const start = pattern.endsWith('*') ? pattern.slice(0, -1) : undefined;
  const fits = (name: string) => (start === undefined ? name === pattern : name.startsWith(start));
  return { fits, rule: match[3] === undefined ? (match[2] as 'keep' | 'clear') : { clip: Number(match[3]) } };
}
