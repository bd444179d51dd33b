// PreCompact and PostCompact around a conversation that is condensed.
import { resolve } from 'node:path';
import type { Context } from '../../lib/cli/filter.ts';
import type { Message } from '../../lib/conversation/types.ts';
import { EXIT, Failure } from '../../lib/failure/failure.ts';
import { baseFields } from '../../lib/hooks/base.ts';
import type { Outcome } from '../../lib/hooks/outcome.ts';
import { HookRunner } from '../../lib/hooks/runner.ts';
import { type HookSettings, readHookSettings } from '../../lib/hooks/settings.ts';
import type { Rec } from '../../lib/json/record.ts';
import { visible } from '../../lib/text/control-characters.ts';
import { backupPath, writeBackup } from './backup.ts';
import { bytesOf } from './ledger.ts';

interface Before {
  readonly blocked: boolean;
  /** What a hook printed, for whoever writes the summary. */
  readonly advice?: string;
}

export class CompactHooks {
  /** Where transcripts are kept. */
  readonly folder: string;
  readonly #settings: HookSettings;
  readonly #context: Context;
  #kept: string | undefined;

  private constructor(settings: HookSettings, folder: string, context: Context) {
    this.#settings = settings;
    this.folder = folder;
    this.#context = context;
  }

  /** Throws a Failure (64) if no hooks are named, (78) if they cannot be read. */
  static async load(named: string, backup: string | undefined, context: Context): Promise<CompactHooks> {
    const { env, cwd } = context;
    const files = (named || (env.AI_HOOKS ?? '')).split(':').filter(Boolean);
    if (files.length === 0)
      throw new Failure(EXIT.usage, 'cannot run hooks: no hooks were given', { hint: 'use --hooks=FILE or AI_HOOKS' });
    const settings = await readHookSettings(files, cwd);
    const state = env.XDG_STATE_HOME || (env.HOME && `${env.HOME}/.local/state`) || cwd;
    return new CompactHooks(settings, resolve(cwd, backup ?? `${state}/ai/kept`), context);
  }

  /** Keeps the transcript, then asks the hooks. */
  async before(input: Iterable<Rec>): Promise<Before> {
    this.#keep(input);
    const outcome = await this.#run('PreCompact', { trigger: 'auto', custom_instructions: '' });
    const against = outcome.stop ?? outcome.blocked;
    if (against !== undefined) {
      this.#context.note(`blocked: ${visible(against)}`);
      this.#context.exit(EXIT.blocked);
      return { blocked: true };
    }
    return { blocked: false, ...(outcome.context.length > 0 && { advice: outcome.context.join('\n') }) };
  }

  async after(digests: readonly Message[]): Promise<void> {
    const parts = digests.flatMap((digest) => digest.parts);
    const summary = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    await this.#run('PostCompact', { trigger: 'auto', compact_summary: summary });
  }

  #keep(input: Iterable<Rec>): void {
    if (this.#kept !== undefined) return;
    const bytes = Buffer.concat(Array.from(input, (rec) => Buffer.from(bytesOf(rec))));
    const hash = writeBackup(this.folder, bytes, new Date(this.#context.now()).toISOString());
    this.#kept = backupPath(this.folder, hash);
  }

  async #run(event: string, fields: { readonly [name: string]: string }): Promise<Outcome> {
    const { env, cwd, signal, note } = this.#context;
    const file = env.AI_CONV ? resolve(cwd, env.AI_CONV) : undefined;
    // The conversation in the pipe may be in no file: the transcript is what was kept.
    const base = { ...baseFields({ env, cwd }, file), transcript_path: this.#kept ?? '' };
    const names = (env.AI_HOOK_ENV ?? '').split(/[ ,:]+/).filter(Boolean);
    const outcome = await new HookRunner(this.#settings, { env, names, cwd, signal, base }).run(event, fields);
    for (const text of [...outcome.warnings, ...outcome.messages]) note(visible(text));
    return outcome;
  }
}
