// The rules of the house, as programs: import edges, sizes, what a binary loads before it works, generated text.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../src/commands/table.ts';
import { TOOLS } from '../src/tools/table.ts';

const ROOT = join(import.meta.dirname, '..');
const sources = globSync('{src,scripts}/**/*.ts', { cwd: ROOT }).sort();
const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
  readonly dynamic: boolean;
}

function importsOf(file: string): Import[] {
  const statements = [
    ...text(file).matchAll(/^(?:import|export)(\s+type)?\s[^'"]*?from '([^']+)'|^import '([^']+)'/gms),
  ];
  const late = [...text(file).matchAll(/\bimport\('([^']+)'\)/g)];
  return [
    ...statements.map(([, type, from, bare]) => ({
      target: resolve(file, from ?? bare ?? ''),
      typeOnly: type !== undefined,
      dynamic: false,
    })),
    ...late.map(([, from]) => ({ target: resolve(file, from ?? ''), typeOnly: false, dynamic: true })),
  ];
}

const resolve = (file: string, target: string) =>
  target.startsWith('.') ? normalize(join(dirname(file), target)) : target;

/** The room of a file: `commands/route`, `dialects`, `json` … */
const roomOf = (file: string) =>
  /^src\/(commands\/[^/]+|lib\/([^/]+))\//.exec(file)?.[2] ??
  /^src\/(commands\/[^/]+|tools)\//.exec(file)?.[1] ??
  'start';

/** Which rooms a room may import from, the lowest first: a room imports only rooms above it in this list. A command may import any room but a command. */
const ALLOWED: { readonly [room: string]: readonly string[] } = {
  json: [],
  text: [],
  collections: [],
  yaml: [],
  failure: ['json'],
  conversation: ['json'],
  jsonl: ['failure', 'json'],
  streams: ['json'],
  state: ['conversation', 'failure', 'json'],
  tokens: ['conversation', 'failure', 'json'],
  'json-schema': ['json'],
  editing: ['json'],
  processes: [],
  config: ['failure', 'json', 'state', 'text', 'yaml'],
  dialects: ['collections', 'conversation', 'failure', 'json', 'json-schema', 'streams'],
  conversion: ['conversation', 'dialects', 'failure', 'json', 'streams'],
  transcripts: ['conversation', 'conversion', 'dialects', 'failure', 'json'],
  constraints: ['collections', 'conversation', 'conversion', 'dialects', 'json', 'json-schema'],
  grammars: ['conversation', 'failure', 'json', 'yaml'],
  models: ['config', 'conversation', 'failure', 'json', 'text'],
  credentials: ['config', 'failure', 'json', 'models'],
  permissions: ['config', 'conversation', 'failure', 'json'],
  providers: ['config', 'constraints', 'conversation', 'dialects', 'failure', 'json', 'models', 'state', 'streams'],
  agents: ['config', 'conversation', 'failure', 'json', 'permissions', 'processes'],
  mcp: ['config', 'failure', 'json', 'processes', 'providers', 'streams', 'text'],
  hooks: ['config', 'conversation', 'failure', 'json', 'permissions', 'processes', 'providers', 'text'],
  cli: ['failure', 'json', 'jsonl', 'text'],
};

/** Rooms in which imports of types still go in circles. */
const TYPE_CIRCLES_LEFT = ['commands/complete', 'constraints'];

/** Files that import one another in a circle by imports of this kind. What is loaded while the program runs is left out. */
function circlesOf(counts: (found: Import) => boolean): string[][] {
  const targets = (file: string) =>
    importsOf(file)
      .filter((found) => !found.dynamic && counts(found))
      .map(({ target }) => target);
  const edges = new Map(sources.map((file) => [file, targets(file)]));
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file]);
    if (done.has(file) || path.includes(file)) return;
    for (const target of edges.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
  return circles;
}

describe('imports', () => {
  test.each(sources.filter((file) => file.startsWith('src/lib/')))(
    '%s stays within its room and those below',
    (file) => {
      const room = roomOf(file);
      const allowed = ALLOWED[room];
      expect(allowed, `room ${room} is not in the table`).toBeDefined();
      const own = importsOf(file).filter(({ target }) => target.startsWith('src/'));
      expect(own.map(({ target }) => roomOf(target)).filter((to) => to !== room && !allowed?.includes(to))).toEqual([]);
    },
  );

  test.each(sources.filter((file) => /^src\/commands\/[^/]+\//.test(file)))('%s imports no other command', (file) => {
    const rooms = importsOf(file).map(({ target }) => roomOf(target));
    expect(rooms.filter((room) => room.startsWith('commands/') && room !== roomOf(file))).toEqual([]);
  });

  test.each(sources.filter((file) => file.startsWith('src/tools/')))('%s imports no command', (file) => {
    const rooms = importsOf(file).map(({ target }) => roomOf(target));
    expect(
      rooms.filter(
        (room) => room.startsWith('commands/') || ['dialects', 'conversion', 'transcripts', 'providers'].includes(room),
      ),
    ).toEqual([]);
  });

  test('every package has one home', () => {
    const homes = new Map<string, Set<string>>();
    for (const file of sources.filter((f) => f.startsWith('src/')))
      for (const { target, typeOnly } of importsOf(file)) {
        if (typeOnly || target.startsWith('src/') || target.startsWith('node:') || target.includes('package.json'))
          continue;
        homes.set(target, (homes.get(target) ?? new Set()).add(file));
      }
    expect([...homes].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual([]);
  });

  test('only the process file reads the environment, prints, or exits', () => {
    const outside = sources.filter((f) => f.startsWith('src/') && f !== 'src/lib/cli/process.ts');
    const guilty = outside.filter((f) => /\bprocess\.(env|exit|stdin|stdout|stderr|argv)\b|\bconsole\./.test(text(f)));
    expect(guilty).toEqual([]);
  });

  test('no table is asked for a key of another type', () => {
    // A record's field may be an object that cannot be made a text, or a name that every object inherits.
    const guilty = sources.filter(
      (f) => /^src\/(lib|commands)/.test(f) && /\b[A-Z][A-Z_]+(\[|\.(has|get)\()String\(/.test(text(f)),
    );
    expect(guilty).toEqual([]);
  });

  test('no import goes in a circle, of types neither', () => {
    const settled = (file: string) => !TYPE_CIRCLES_LEFT.includes(roomOf(file));
    expect(circlesOf(({ typeOnly }) => !typeOnly)).toEqual([]);
    expect(circlesOf(() => true).filter((circle) => circle.some(settled))).toEqual([]);
  });
});

test('a dialect is named in its own folder', () => {
  // Whoever removes some lowers the number; 0 means that a new API is one folder and one line.
  const MOST = 209;
  const name = '(?:openai-responses|openai|anthropic|gemini|bedrock|mistral|cohere|ollama|otel|sharegpt)';
  const own = new RegExp(`^src/lib/dialects/${name}/`);
  const named = new RegExp(`'${name}'|^\\s*${name}: `, 'gm');
  const code = (file: string) => text(file).replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '');
  const found = sources
    .filter((file) => file.startsWith('src/') && !own.test(file))
    .map((file) => ({ file, count: code(file).match(named)?.length ?? 0 }));
  expect(found.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(MOST);
});

/** The names that a file exports, each by a statement that says it. */
const exportsOf = (file: string): string[] => [
  ...[
    ...text(file).matchAll(/^export (?:async )?(?:function\*?|(?:abstract )?class|const|interface|type|enum) (\w+)/gm),
  ].map(([, name = '']) => name),
  ...[...text(file).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => namesIn(list)),
];

/** Of `a, type b, c as d` the names that other files see, or with `own` those that the file itself gives them. */
const namesIn = (list: string, own = false): string[] =>
  list
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter(Boolean)
    .map((item) => item.split(' as ').at(own ? 0 : -1) ?? item);

test('every exported name is imported by another file, and what only tests import its own file uses too', () => {
  const users = [...sources, ...globSync('test/**/*.ts', { cwd: ROOT })];
  const uses = new Map<string, 'source' | 'test'>();
  const note = (file: string, target: string, name: string) => {
    const key = `${resolve(file, target)} ${name}`;
    if (uses.get(key) !== 'source') uses.set(key, file.startsWith('test/') ? 'test' : 'source');
  };
  for (const file of users) {
    const named = /^(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s*from '(\.[^']+)'/gm;
    for (const [, list = '', target = ''] of text(file).matchAll(named))
      for (const name of namesIn(list, true)) note(file, target, name);
    // A module that is taken as a whole, or while the program runs: whatever name of it the file says.
    const whole = /import(?: type)? \* as \w+ from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;
    for (const [, star, late] of text(file).matchAll(whole)) {
      const target = star ?? late ?? '';
      for (const name of exportsOf(resolve(file, target)))
        if (star || new RegExp(`\\b${name}\\b`).test(text(file))) note(file, target, name);
    }
  }
  const needless = sources.flatMap((file) =>
    exportsOf(file).flatMap((name) => {
      const by = uses.get(`${file} ${name}`);
      const said = text(file).match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
      return by === undefined || (by === 'test' && said < 2) ? [`${file}: ${name}`] : [];
    }),
  );
  expect(needless).toEqual([]);
});

describe('sizes', () => {
  test.each(sources)('%s has at most 300 lines', (file) =>
    expect(text(file).split('\n').length).toBeLessThanOrEqual(300),
  );

  test.each(sources)('the functions of %s have at most 60 lines', (file) =>
    expect(longFunctions(text(file))).toEqual([]),
  );

  test('half of the files have 100 lines or fewer', () => {
    const sizes = sources.map((file) => text(file).split('\n').length).sort((a, b) => a - b);
    expect(sizes[sizes.length >> 1]).toBeLessThanOrEqual(100);
  });
});

/** The formatter puts a function's closing brace under the column where its declaration begins. */
function longFunctions(source: string): string[] {
  const lines = source.split('\n');
  return lines.flatMap((line, at) => {
    const head =
      /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\b|(?:static |readonly |async |\*)*#?\w+\([^;]*\{$|get \w+\(|const \w+ = .*=> \{$)/.exec(
        line,
      );
    if (!head || /^\s*(if|for|while|switch|return|catch)\b/.test(line)) return [];
    const end = lines.findIndex((l, i) => i > at && l.startsWith(`${head[1]}}`));
    return end - at > 60 ? [`line ${at + 1}: ${end - at} lines`] : [];
  });
}

describe('what the build takes for granted', () => {
  test('what is loaded late exports functions, each by a statement that says its name', () => {
    const exports = sources
      .filter((file) => file.endsWith('.late.ts'))
      .flatMap(
        (file) =>
          text(file)
            .match(/^export .*/gm)
            ?.map((line) => `${file}: ${line}`) ?? [],
      );
    expect(exports.length).toBeGreaterThan(50);
    const good = /: export (function \w+\(|\{ \w+(, \w+)* \} from |type |interface )/;
    expect(exports.filter((line) => !good.test(line))).toEqual([]);
  });

  test('no exported name changes later', () => {
    expect(sources.filter((file) => /^export (let|var) /m.test(text(file)))).toEqual([]);
  });
});

test('files are named for what they hold', () => {
  expect(sources.filter((file) => /(^|\/)(utils?|helpers?|common|manager|misc)(\.|\/)/.test(file))).toEqual([]);
});

describe('the built programs', () => {
  const metafile = join(ROOT, 'dist/metafile.json');
  const outputs = existsSync(metafile) ? JSON.parse(readFileSync(metafile, 'utf8')).outputs : undefined;
  const LATE =
    /^src\/.*(\.late|dialects\/(?!codec)[^/]+\/(head|reply|stream))\.ts$|node_modules\/(openai|@anthropic-ai|execa|js-tiktoken|zod|yargs|ajv|yaml|jsonrepair|unbash|re2js|html-to-text|diff|picomatch|shell-quote|cli-table3)\//;

  test.skipIf(outputs === undefined).each(Object.keys(COMMANDS))(
    '%s loads no SDK, tokenizer, validator or codec before it works',
    (name) => {
      const entry = Object.keys(outputs).find(
        (o) => outputs[o].entryPoint === `src/commands/${name.replace(/^ai-/, '')}/command.ts`,
      );
      expect(entry).toBeDefined();
      const loaded = new Set<string>();
      const visit = (output: string) => {
        if (loaded.has(output)) return;
        loaded.add(output);
        for (const { path, kind } of outputs[output]?.imports ?? []) if (kind === 'import-statement') visit(path);
      };
      visit('dist/main.cjs');
      visit(entry as string);
      const inputs = [...loaded].flatMap((output) => Object.keys(outputs[output]?.inputs ?? {}));
      expect(inputs.filter((input) => LATE.test(input))).toEqual([]);
    },
  );
});

test('the committed text that is generated is fresh', () => {
  expect(() =>
    execFileSync(process.execPath, [join(ROOT, 'scripts/docs.ts'), '--check'], { stdio: 'pipe' }),
  ).not.toThrow();
});

test('every tool has a launcher and a JSON file that describes it', () => {
  const files = globSync('tools/*', { cwd: ROOT }).map((file) => file.slice('tools/'.length));
  expect(files.sort()).toEqual(
    Object.keys(TOOLS)
      .flatMap((name) => [name, `${name}.json`])
      .sort(),
  );
  for (const name of Object.keys(TOOLS)) {
    const described = JSON.parse(text(`tools/${name}.json`));
    expect(described).toMatchObject({ name, inputSchema: { type: 'object' }, annotations: {} });
    expect(described.description.length).toBeGreaterThan(20);
    expect(statSync(join(ROOT, 'tools', name)).mode & 0o111).not.toBe(0);
    expect(text(`tools/${name}`)).toBe(text('tools/Read'));
  }
});

test('no test counts on what a machine has not', () => {
  const tests = globSync('test/**/*.{ts,bats,bash,txt}', { cwd: ROOT }).filter((file) => file !== 'test/repo.test.ts');
  const absent = /(^|[^\w.~}/-])\/(nonexistent|nowhere|missing|absent|no-?such|does-?not)/m;
  expect(tests.filter((file) => absent.test(text(file)))).toEqual([]);
});

test('every program has a launcher, an entry in package.json and a line in the README', () => {
  const { bin } = JSON.parse(text('package.json'));
  for (const name of Object.keys(COMMANDS)) {
    expect(bin[name]).toBe(`bin/${name}`);
    expect(existsSync(join(ROOT, 'bin', name))).toBe(true);
    expect(text('README.md')).toContain(`\`${name}\``);
  }
});

describe('CONTRIBUTING.md', () => {
  const guide = text('CONTRIBUTING.md');

  test('names no file that is not there', () => {
    const named = [...guide.matchAll(/`((?:src|test|scripts|bin|tools|agents)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('has a sentence for every package, and every package is used', () => {
    const { devDependencies } = JSON.parse(text('package.json'));
    const packages = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'));
    expect(packages.filter((name) => !guide.includes(name.replace(/^@modelcontextprotocol\//, '')))).toEqual([]);
    const files = globSync('{src,scripts,test}/**/*.{ts,bats,bash,sh}', { cwd: ROOT }).filter(
      (file) => file !== 'test/repo.test.ts',
    );
    const all = [...files, 'scripts/build', 'scripts/test', 'package.json', 'biome.json', 'vitest.config.ts']
      .filter((file) => existsSync(join(ROOT, file)))
      .map((file) => (file === 'package.json' ? JSON.stringify(JSON.parse(text(file)).scripts) : text(file)))
      .join('\n');
    // A package is imported, read from its directory, or run by its name.
    const isUsed = (name: string) =>
      [`'${name}'`, `'${name}/`, `${name}/`, `'${name.split('/').at(-1)}'`].some((spelled) => all.includes(spelled)) ||
      (RUN[name] !== undefined && new RegExp(`\\b${RUN[name]}\\b`).test(all));
    const RUN: { readonly [name: string]: string } = { typescript: 'tsc', '@biomejs/biome': 'biome', node: 'node' };
    expect(packages.filter((name) => !isUsed(name))).toEqual([]);
    const types = Object.keys(devDependencies).filter((name) => name.startsWith('@types/') && name !== '@types/node');
    expect(types.filter((name) => devDependencies[name.slice('@types/'.length)] === undefined)).toEqual([]);
  });
});

test('every law has a number of its own and a line in the list', () => {
  const files = globSync('test/laws/*.test.ts', { cwd: ROOT }).map((file) => file.slice('test/laws/'.length));
  const numbers = files.map((file) => Number.parseInt(file, 10));
  expect(new Set(numbers).size).toBe(files.length);
  const list = [...text('test/laws/README.md').matchAll(/^\| (\d+) \| `([^`]+)`/gm)].map(
    ([, number, file]) => `${number} ${file}`,
  );
  expect(list.sort()).toEqual(files.map((file, i) => `${numbers[i]} ${file}`).sort());
  for (const [i, file] of files.entries())
    expect(text(`test/laws/${file}`)).toMatch(new RegExp(`^// Law ${numbers[i]}\\b`));
});
