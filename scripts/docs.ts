// Writes what is generated from the programs' descriptions into the committed text: the README's table of programs.
// With --check it writes nothing, and fails where the text is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../src/commands/table.ts';

const README = join(import.meta.dirname, '..', 'README.md');

async function programs(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => `| \`${name}\` | ${(await load()).default.summary} |`),
  );
  // A shell script over the others, and no filter itself.
  const agent = '| `ai-agent` | run an agent: a loop over these programs, with the conversation in a file |';
  return ['| program | does |', '|---|---|', agent, ...rows].join('\n');
}

const text = readFileSync(README, 'utf8');
const table = await programs();
const written = text.replace(
  /(<!-- programs -->\n).*?(\n<!-- \/programs -->)/s,
  (_, open, close) => `${open}${table}${close}`,
);

if (!written.includes(table)) throw new Error('README.md has no place for the table of programs');
if (!process.argv.includes('--check')) writeFileSync(README, written);
else if (written !== text) {
  console.error('README.md is stale: run scripts/docs');
  process.exitCode = 1;
}
