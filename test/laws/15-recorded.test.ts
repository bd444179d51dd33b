// Law 15: what law 9 says holds for what servers really sent: every recorded stream, told live in every other dialect, and read by the official clients.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json/values.ts';
import { close, fold, listen } from '../clients.ts';
import { APIS, CORPORA, type RecordedReply, recordedAnswers } from '../fixtures.ts';
import { live, said } from '../told.ts';
import { asJson } from './same.ts';

const lose = () => {};

/** One is begun twice, by a server in between; another has events that are no JSON. */
const CUT = ['parallel-tool-call-wrapper', 'parallel-tool-call-wrapper', 'spliced-message-start'];

beforeAll(listen);
afterAll(close);

const answers = recordedAnswers();
const whole = answers.filter((answer): answer is RecordedReply => 'events' in answer).filter(isConsistent);

/** Somebody shortened the pieces of one recording, and not its end. */
function isConsistent({ format, events }: RecordedReply): boolean {
  const reader = format.openStream();
  const pieces = events.flatMap((event) => reader.push(event)).map((delta) => delta.text ?? '');
  return (
    pieces.join('').length ===
    reader.end().parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  );
}

describe.skipIf(CORPORA === undefined)('every recorded stream', () => {
  test('is read, but for those that hold an error or were cut by hand', () => {
    const failed = answers.flatMap((answer) =>
      'failure' in answer ? [`${answer.name}: ${answer.failure.message}`] : [],
    );
    expect(whole.length).toBeGreaterThan(150);
    expect(failed.filter((text) => !text.includes('the provider sent an error'))).toHaveLength(CUT.length);
    for (const [i, name] of CUT.entries())
      expect(failed.filter((text) => !text.includes('sent an error'))[i]).toContain(name);
  });

  for (const to of APIS)
    test(`${to.name}: says the same, whole and live, and its client agrees`, { timeout: 120_000 }, async () => {
      for (const { name, format, events } of whole) {
        if (format === to) continue;
        const { told, message } = live(format, to, events);
        const written = said(to.readReply(asJson(to.writeReply(message, lose)) as JsonObject));
        const streamed = to.writeStream?.(message, lose) ?? [];
        for (const [how, sent] of [
          ['live', told],
          ['whole', streamed],
        ] as const) {
          const reader = to.openStream();
          for (const { data } of sent) if (typeof data !== 'string') reader.push(JSON.parse(JSON.stringify(data)));
          expect({ name, how, ...said(reader.end()) }).toEqual({ name, how, ...written });
          expect({ name, how, ...said(to.readReply(await fold(to.name, sent))) }).toEqual({ name, how, ...written });
        }
      }
    });
});
