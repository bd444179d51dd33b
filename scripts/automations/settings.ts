// The file of automations.

import { globOf } from '../../src/lib/config/picomatch.ts';
import { parseSettings, trustedText } from '../../src/lib/config/trusted.ts';
import { EXIT, Failure } from '../../src/lib/ir/failure.ts';
import { isObject, type Json, type JsonObject } from '../../src/lib/ir/json.ts';

/** What to run, and one of `files`, `cron` and `git`. */
export interface Automation {
  readonly name: string;
  readonly run: string;
  /** Seconds. */
  readonly timeout: number;
  readonly files?: { matches(path: string): boolean };
  readonly cron?: string;
  readonly timezone?: string;
  /** What git calls what it did: commit, merge, checkout, pull, rebase, reset … */
  readonly git?: readonly string[];
}

/** Throws a Failure (78) with the place for a file that cannot be read, is not ours alone to write, or says what cannot be. */
export async function readAutomations(file: string, cwd: string): Promise<Automation[]> {
  const value = (await parseSettings(trustedText(file, cwd), file)) as Json;
  const list = isObject(value) ? value.automations : undefined;
  if (!Array.isArray(list)) throw new Failure(EXIT.config, 'there is no list of "automations"', { place: file });
  return list.map((each, i) => {
    const place = `${file}: automations[${i}]`;
    if (!isObject(each) || typeof each.run !== 'string' || !isObject(each.on))
      throw new Failure(EXIT.config, 'an automation has "on" and "run"', { place });
    const name = typeof each.name === 'string' ? each.name : `automation ${i + 1}`;
    const timeout = typeof each.timeout === 'number' ? each.timeout : 3600;
    return { name, run: each.run, timeout, ...trigger(each.on, place) };
  });
}

function trigger({ files, ignore, cron, timezone, git }: JsonObject, place: string) {
  if ([files, cron, git].filter((each) => each !== undefined).length !== 1)
    throw new Failure(EXIT.config, '"on" is one of "files", "cron" and "git"', { place });
  if (files !== undefined) {
    const wanted = words(files).map((pattern) => globOf(pattern, true));
    const not = words(ignore).map((pattern) => globOf(pattern, true));
    return {
      files: { matches: (path: string) => wanted.some((fits) => fits(path)) && !not.some((fits) => fits(path)) },
    };
  }
  if (git !== undefined) return { git: words(git) };
  return { cron: String(cron), ...(typeof timezone === 'string' && { timezone }) };
}

const words = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter((each) => typeof each === 'string');
