// Whether a text can hold a call at all. Small and quick: most texts hold none, and the grammars are loaded for the others.

/** The beginnings of everything that the scanner looks at. */
const MARK = /[<`{]|\[[^\]\s]|✿|◁|>>>|\*\*Tool|\|tool\||(?:^|\n)[ \t]*(?:Action|Call|call|tool|TOOL_NAME):|(?:^|\n)[ \t]*[\w.]+\(| to=|^to=|-> tool\/|: \w+ Args ?:/;

export function mayHoldCall(text: string): boolean {
  return MARK.test(text);
}
