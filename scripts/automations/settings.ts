// The file of automations.

import { Cron } from 'croner';
import { globOf } from '../../src/lib/config/picomatch.ts';
import { parseSettings, trustedText } from '../../src/lib/config/trusted.ts';
import { loadZod, validate, type Z } from '../../src/lib/config/zod.ts';
import { EXIT, Failure } from '../../src/lib/failure/failure.ts';

/** What to run, and one of `files`, `cron` and `git`. */
export interface Automation {
  readonly name: string;
  readonly run: string;
  /** Whether it may run at all. */
  readonly enabled: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly files?: { matches(path: string): boolean };
  readonly cron?: string;
  readonly timezone?: string;
  /** What git calls what it did. */
  readonly git?: readonly string[];
}

/** The first words of the lines in git's log of HEAD. */
const ACTIONS = 'commit merge checkout pull rebase reset cherry-pick revert am clone branch'.split(' ');

type Written = ReturnType<typeof schema>['_zod']['output']['automations'][number];

function schema(z: Z) {
  const text = z.string().check(z.minLength(1));
  const texts = z.union([text, z.array(text).check(z.minLength(1))]);
  const action = z.enum(ACTIONS);
  const on = z.strictObject({
    files: z.optional(texts),
    ignore: z.optional(texts),
    cron: z.optional(text),
    timezone: z.optional(text),
    git: z.optional(z.union([action, z.array(action).check(z.minLength(1))])),
  });
  const automation = z.strictObject({
    name: z.optional(text),
    enabled: z.optional(z.boolean()),
    on,
    run: text,
    timeout: z.optional(z.number().check(z.positive())),
  });
  return z.strictObject({ automations: z.array(automation) });
}

/** Throws a Failure (78) with the place for a file that cannot be read, is not ours alone to write, or says what cannot be. */
export async function readAutomations(file: string, cwd: string): Promise<Automation[]> {
  const value = await parseSettings(trustedText(file, cwd), file);
  const { automations } = validate(schema(await loadZod()), value, file);
  return automations.map((each, i) => {
    const { name = `automation ${i + 1}`, enabled = true, run, timeout = 3600, on } = each;
    return { name, enabled, run, timeout, ...trigger(on, `${file}: automations[${i}]`) };
  });
}

function trigger({ files, ignore, cron, timezone, git }: Written['on'], place: string) {
  const refuse = (why: string) => new Failure(EXIT.config, why, { place });
  if ([files, cron, git].filter((each) => each !== undefined).length !== 1)
    throw refuse('"on" is one of "files", "cron" and "git"');
  if (ignore !== undefined && files === undefined)
    throw refuse('"ignore" says which of "files" do not count: there are none');
  if (timezone !== undefined && cron === undefined) throw refuse('"timezone" says where "cron" counts: there is none');
  if (files !== undefined) {
    const wanted = list(files).map((pattern) => globOf(pattern, true));
    const not = list(ignore ?? []).map((pattern) => globOf(pattern, true));
    return {
      files: { matches: (path: string) => wanted.some((fits) => fits(path)) && !not.some((fits) => fits(path)) },
    };
  }
  if (git !== undefined) return { git: list(git) };
  try {
    new Cron(cron ?? '', { paused: true, ...(timezone && { timezone }) }).nextRun();
  } catch (error) {
    throw refuse(`cannot understand the time: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { cron, ...(timezone && { timezone }) };
}

const list = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);
