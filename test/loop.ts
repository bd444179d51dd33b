// A place to try the loop in: tools that are shell scripts, rules, and conversations in any dialect.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolCallPart } from '../src/lib/conversation/types.ts';
import type { Format } from '../src/lib/dialects/types.ts';
import type { JsonObject } from '../src/lib/json/values.ts';

export const ROOT = join(import.meta.dirname, '..');
export const BUILT = existsSync(join(ROOT, 'dist/start.cjs'));
export const bin = (name: string): string => join(ROOT, 'bin', name);

export interface ToolFile {
  readonly script: string;
  readonly about?: JsonObject;
}

export class Place {
  readonly path = mkdtempSync(join(tmpdir(), 'loop-'));
  readonly tools = join(this.path, 'tools');
  readonly rules = join(this.path, 'rules.json');
  readonly conversation = join(this.path, 'c.jsonl');

  constructor(
    tools: { readonly [name: string]: ToolFile } = {},
    permissions: JsonObject = { defaultMode: 'bypassPermissions' },
  ) {
    mkdirSync(this.tools, { mode: 0o755 });
    for (const [name, tool] of Object.entries(tools)) this.addTool(name, tool);
    this.write('rules.json', JSON.stringify({ permissions }));
  }

  addTool(name: string, { script, about }: ToolFile): void {
    writeFileSync(join(this.tools, name), script.startsWith('#!') ? script : `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.tools, name), 0o755);
    writeFileSync(join(this.tools, `${name}.json`), JSON.stringify({ name, description: 'a tool', ...about }), {
      mode: 0o644,
    });
  }

  /** A file, readable by all and writable by its owner. */
  write(name: string, text: string): string {
    const path = join(this.path, name);
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    return path;
  }

  read(name: string): string {
    const path = join(this.path, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** A conversation in which the model has just made these calls. */
  converse(format: Format, calls: readonly Pick<ToolCallPart, 'id' | 'name' | 'input'>[]): void {
    const parts = calls.map((call): ToolCallPart => ({ type: 'tool_call', ...call }));
    const messages = [
      ...format.writeMessages([{ role: 'user', parts: [{ type: 'text', text: 'go' }] }], () => {}),
      ...format.writeMessages([{ role: 'assistant', parts }], () => {}),
    ];
    writeFileSync(this.conversation, lines(messages));
  }

  get records(): JsonObject[] {
    return readFileSync(this.conversation, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH: process.env.PATH ?? '', HOME: this.path, AI_CONV: this.conversation, ...more };
  }

  /** The whole pipe on the conversation, to its end. */
  turn(permit: readonly string[] = []): void {
    const options = { cwd: this.path, env: this.env() };
    const pending = spawnSync(bin('ai-pending'), { ...options, input: readFileSync(this.conversation) });
    const decided = spawnSync(bin('ai-permit'), ['-p', this.rules, ...permit], { ...options, input: pending.stdout });
    spawnSync(bin('ai-exec'), ['-T', this.tools], {
      ...options,
      input: decided.stdout,
      stdio: ['pipe', openSync(this.conversation, 'a'), 'inherit'],
    });
  }

  /** The same, but ai-exec is killed once it has written so many records. */
  async killedTurn(after: number): Promise<void> {
    const options = { cwd: this.path, env: this.env() };
    const pending = spawnSync(bin('ai-pending'), { ...options, input: readFileSync(this.conversation) });
    const decided = spawnSync(bin('ai-permit'), ['-p', this.rules], { ...options, input: pending.stdout });
    const before = this.records.length;
    const child = spawn(bin('ai-exec'), ['-T', this.tools], {
      ...options,
      stdio: ['pipe', openSync(this.conversation, 'a'), 'inherit'],
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(decided.stdout);
    const written = () => readFileSync(this.conversation, 'utf8').split('\n').length - 1 - before;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (written() >= after) child.kill('SIGKILL');
      }, 1);
      child.on('close', () => {
        clearInterval(timer);
        resolve();
      });
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const lines = (records: readonly unknown[]): string =>
  records.map((each) => `${JSON.stringify(each)}\n`).join('');
