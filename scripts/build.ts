// Bundles the programs into dist/: one entry, and a chunk for each command and for whatever is loaded late.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { writeTokens } from './tokens.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');
const minify = !process.argv.includes('--plain');

/** Runs on any Node, so that an old one gets a sentence and not a syntax error. */
const START = `'use strict';
const { version } = process;
const [major, minor] = version.slice(1).split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(process.argv[2] + ': cannot run on Node ' + version + ': it needs 22.13 or newer\\n');
  process.exit(69);
}
const cache = codeCache();
if (cache !== undefined) require('node:module').enableCompileCache(cache);
/** Compiled code is run without a look at it: it is only kept where nobody else can put any. Elsewhere Node would take a folder in /tmp. */
function codeCache() {
  const { mkdirSync, realpathSync, statSync } = require('node:fs');
  const { XDG_CACHE_HOME: given, HOME: home } = process.env;
  const base = given || (home && home + '/.cache');
  if (!process.getuid || !base || base[0] !== '/' || /(^|\\/)\\.\\.?(\\/|$)/.test(base)) return undefined;
  const user = process.getuid();
  // The last three are ours alone; those above may be the system's, and shared if nobody can put another in place of what is ours.
  const isSafe = (parts, at) => {
    const { uid, mode } = statSync('/' + parts.slice(0, at).join('/'));
    const isOpen = (mode & 0o022) !== 0;
    return at > parts.length - 3 ? uid === user && !isOpen : (uid === user || uid === 0) && (!isOpen || (mode & 0o1000) !== 0);
  };
  try {
    mkdirSync(base + '/ai-coreutils/code', { recursive: true, mode: 0o700 });
    const own = realpathSync(base + '/ai-coreutils/code');
    const parts = own.split('/').filter(Boolean);
    for (let at = 0; at <= parts.length; at++) if (!isSafe(parts, at)) return undefined;
    return own;
  } catch (error) {
    return undefined;
  }
}
const packed = {};
const made = new Map();
exports.pack = (chunks) => Object.assign(packed, chunks);
exports.load = (name) => {
  if (made.has(name)) return made.get(name).exports;
  const module = { exports: {} };
  made.set(name, module);
  if (packed[name]) packed[name](module, module.exports, require);
  else module.exports = require(name);
  return module.exports;
};
exports.load('./main.cjs');
`;

/**
 * Takes Node's own modules with getBuiltinModule, and of each only the names that are used. Importing them by name, or copying their
 * properties, runs all their getters, some of which load large parts of Node: 8 ms of the start of every program. What is taken with `require`
 * is the module itself.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      return { path: path.replace(/^node:/, ''), namespace: kind === 'require-call' ? 'required' : 'builtin' };
    });
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(`node:${path}`) ?? {}).filter((name) =>
        /^[A-Za-z_$]\w*$/.test(name),
      );
      const named = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => m.${name})();`);
      return {
        contents: [`const m = process.getBuiltinModule('node:${path}');`, 'export default m;', ...named].join('\n'),
      };
    });
  },
};

/** What the file src/…/X.late.ts is called in dist. */
const lateName = (file: string): string => file.replace(/^src\/|\.late\.ts$/g, '').replaceAll('/', '-');

/** The functions that a file X.late.ts exports load it when one of them is first called. Without waiting: filters read and write blocking. */
const late: Plugin = {
  name: 'late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.late\.ts$/ }, ({ path, resolveDir, kind }) =>
      kind === 'entry-point' ? undefined : { path: relative(root, join(resolveDir, path)), namespace: 'late' },
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => {
      const exported = readFileSync(join(root, path), 'utf8').matchAll(
        /^export (?:function (\w+)|\{([^}]*)\} from )/gm,
      );
      const names = [...exported].flatMap(([, name, list = '']) => name ?? list.match(/\w+/g) ?? []);
      const calls = names.map((name) => `export const ${name} = (...given) => late().${name}(...given);`);
      const load = `let made; const late = () => (made ??= __load('./${lateName(path)}.cjs'));`;
      return { contents: [load, ...calls].join('\n') };
    });
  },
};

/** The chunks as ES modules: only those can be split. */
async function bundle() {
  return build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/start.ts',
      ...Object.fromEntries(globSync('src/**/*.late.ts', { cwd: root }).map((file) => [lateName(file), file])),
    },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
    minify,
    metafile: true,
    write: false,
    legalComments: 'linked',
    logLevel: 'warning',
    chunkNames: '[name]-[hash]',
    plugins: [builtins, late],
  });
}

/**
 * A chunk as a CommonJS module. Node reads those in one go; ES modules cost a trip through its thread pool each. The names of another chunk are taken
 * over once, since no exported name changes later and no two chunks need each other: each getter in their place would be a function to compile at
 * every start.
 */
function commonJs(text: string): string {
  const url = text.includes('__url') ? "var __url='file://'+__filename;" : '';
  return (url + text)
    .replace(
      /\bimport\s*\{([^{}]*)\}\s*from\s*"(\.\/[^"]+\.cjs)"/g,
      (_, names: string, path) => `var {${names.replaceAll(' as ', ':')}}=__load("${path}")`,
    )
    .replace(/\bimport\s*"(\.\/[^"]+\.cjs)"/g, '__load("$1")')
    .replace(/\bimport\("(\.\/[^"]+\.cjs)"\)/g, 'Promise.resolve().then(()=>__load("$1"))')
    .replace(/\bexport default (?=[\w$.()]+;\s*(\/\*.*\*\/\s*)?$)/, 'exports.default=')
    .replace(
      /\bexport\s*\{([^{}]*)\};(?=\s*(\/\*.*\*\/\s*)?$)/,
      (_, names: string) => `module.exports={${names.replace(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`,
    );
}

/** The chunks that a chunk cannot do without, itself among them. */
function needed(name: string, { outputs }: Pick<Metafile, 'outputs'>, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const { path, kind } of outputs[name]?.imports ?? [])
    if (kind === 'import-statement' && path in outputs) needed(path, { outputs }, found);
  return found;
}

const MAIN = 'dist/main.cjs';

/** Larger chunks stay files of their own: commands share them. */
const LARGE = 32_000;

/**
 * A file to read costs 0.16 ms of every start, so that the entry, each command and whatever is loaded late bring along the small chunks that they need.
 * A chunk that several bring is run once: `load` knows those that are there (see START). The parentheses have them compiled with the file, and so
 * kept in Node's cache of compiled code, which a function that is compiled when it is called never enters.
 */
function withPacked(name: string, codes: ReadonlyMap<string, string>): string {
  const entry = metafile.outputs[name]?.entryPoint ?? '';
  const packs = name === MAIN || /^src\/(commands\/[^/]+\/(command|run)|.*\.late)\.ts$/.test(entry);
  const always = needed(MAIN, metafile);
  const along = [...needed(name, metafile)].filter(
    (one) => one !== name && (name === MAIN || !always.has(one)) && (codes.get(one)?.length ?? LARGE) < LARGE,
  );
  const chunks = packs
    ? along.map((one) => `${JSON.stringify(fileOf(one))}:(function(module,exports,require){${codes.get(one)}\n})`)
    : [];
  const { length } = chunks;
  return `const {load:__load,pack:__pack}=require('./start.cjs');${length > 0 ? `__pack({${chunks.join(',\n')}});` : ''}${codes.get(name)}`;
}

const fileOf = (name: string): string => name.replace(/^dist/, '.');

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const { outputFiles, metafile } = await bundle();
const codes = new Map<string, string>();
for (const { path, text } of outputFiles)
  if (path.endsWith('.cjs')) codes.set(relative(root, path), commonJs(text));
  else writeFileSync(path, text);
for (const name of codes.keys()) writeFileSync(join(root, name), withPacked(name, codes));
// Read on demand: data in the bundle would be parsed at every start.
cpSync(join(root, 'src/lib/models/data'), join(out, 'data'), { recursive: true });
writeTokens(out);
writeFileSync(join(out, 'start.cjs'), START);
writeFileSync(join(out, 'metafile.json'), JSON.stringify(metafile));
