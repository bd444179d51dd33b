// YAML, which JSON is a part of. The parser is loaded when there is a file to read.
import { EXIT, Failure } from '../failure/failure.ts';
import type * as Package from '../yaml/parser.ts';

export type YamlParser = typeof Package.yaml;

export async function loadYaml(): Promise<YamlParser> {
  const { yaml } = await import('../yaml/parser.ts');
  return yaml;
}

export interface Parsed {
  readonly value: unknown;
  /** The line of the value at a path, counted from 1. */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/** Throws a Failure (78) with file and line for a text that is no YAML. Key order and quoting do not matter; a repeated key is an error. */
export function parseYaml(yaml: YamlParser, text: string, file: string): Parsed {
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true });
  const [error] = document.errors;
  if (error) {
    const why = error.message.split('\n')[0]?.replace(/[\0-\x1f\x7f]/g, ' ');
    const place = `${file}:${lines.linePos(error.pos[0]).line}`;
    throw new Failure(EXIT.config, `cannot read YAML: ${why}`, { place });
  }
  return {
    value: plain(document, file),
    lineOf(path) {
      const node = document.getIn(path, true);
      const range = yaml.isNode(node) ? node.range : undefined;
      return range ? lines.linePos(range[0]).line : undefined;
    },
  };
}

function plain(document: ReturnType<YamlParser['parseDocument']>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new Failure(EXIT.config, 'cannot read YAML: the aliases expand to too much data', { place: file });
  }
}
