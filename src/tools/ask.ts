// AskUserQuestion, ask_followup_question: the person answers on the terminal; where there is none, the model is told how to go on.

import type { Terminal } from '../lib/cli/terminal.ts';
import { type Tool, ToolError } from '../lib/cli/tool.ts';
import { isObject, type Json, type JsonObject } from '../lib/json/values.ts';
import { visible, withoutControls } from '../lib/text/control-characters.ts';
import { flag, optionalText, text } from './fields.ts';

interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly several: boolean;
}

const ask: Tool = (input, context) => {
  const questions = questionsIn(input);
  const terminal = context.openTerminal();
  if (terminal === undefined) return unasked(questions);
  try {
    return questions.map((question) => `${question.question}\n→ ${answer(terminal, question)}`).join('\n\n');
  } finally {
    terminal.close();
  }
};

export default ask;

/** Claude Code's `questions`; Roo Code's `question` with `follow_up`, or `questions` of texts. */
function questionsIn(input: JsonObject): Question[] {
  const listed = input.questions === undefined ? [input] : input.questions;
  if (!Array.isArray(listed) || listed.length === 0)
    throw new ToolError('the argument "questions" must be a list of questions');
  return listed.map((one) => {
    if (typeof one === 'string') return { question: one, options: [], several: false };
    if (!isObject(one)) throw new ToolError('each question must be an object with "question" and "options"');
    const options = optionsIn(one.options ?? one.follow_up);
    return { question: text(one, 'question', 'text'), options, several: flag(one, 'multiSelect') };
  });
}

function optionsIn(options: Json | undefined): Question['options'] {
  if (!Array.isArray(options)) return [];
  return options.map((option) => {
    if (!isObject(option)) return { label: String(option) };
    const description = optionalText(option, 'description');
    return { label: text(option, 'label', 'text'), ...(description !== undefined && { description }) };
  });
}

/** No terminal: a result that says what to do, so that a run in CI or at night goes on. */
function unasked(questions: readonly Question[]): string {
  const asked = questions.map(({ question, options }) => {
    const choices = options.map(({ label }) => label).join(' | ');
    return `- ${question}${choices === '' ? '' : ` (${choices})`}`;
  });
  return [
    'Nobody can be asked: this run has no terminal. Decide yourself: take the most sensible and most easily undone of the possible answers, say in your final answer which one you took and why, and go on. If no answer is safe, leave that part undone and say so.',
    ...asked,
  ].join('\n');
}

function answer(terminal: Terminal, { question, options, several }: Question): string {
  const lines = options.map(
    ({ label, description }, i) => `  ${i + 1}. ${label}${description ? `: ${description}` : ''}`,
  );
  terminal.write(`\n${visible([`? ${question}`, ...lines].join('\n'))}\n`);
  const how =
    options.length === 0
      ? 'Answer'
      : several
        ? 'Numbers with commas, or an answer of your own'
        : 'A number, or an answer of your own';
  for (;;) {
    const line = terminal.ask(`${how}: `);
    if (line === undefined) return '(the user did not answer: decide yourself, and say how)';
    const said = withoutControls(line).trim();
    const chosen = said
      .split(/\s*,\s*/)
      .map((word) => (/^\d+$/.test(word) ? options[Number(word) - 1]?.label : undefined));
    if (
      said !== '' &&
      options.length > 0 &&
      chosen.every((label) => label !== undefined) &&
      (several || chosen.length === 1)
    )
      return chosen.join(', ');
    if (said !== '' && !/^[\d\s,]+$/.test(said)) return said;
    if (said !== '' && options.length === 0) return said;
  }
}
