// What Chat refuses of its messages and its body.
import { jsonWord, textArguments } from '../chat/rules.ts';
import { objectOf, ofBlocks, quoted, type RecordRule } from '../record-rules.ts';

const SOUNDS = new Set<unknown>(['wav', 'mp3']);

const audio = ofBlocks({
  name: 'audio-format',
  field: 'content',
  find: ({ type, input_audio }) => {
    const { format } = objectOf(input_audio);
    if (type !== 'input_audio' || SOUNDS.has(format)) return undefined;
    return { what: `audio of the format ${quoted(format)}`, mend: 'use wav or mp3' };
  },
  mend: () => [],
  did: 'took audio away',
});

export const openai: readonly RecordRule[] = [jsonWord, textArguments, audio];
