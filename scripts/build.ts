// Bundles the programs into dist/: one entry, and a chunk for each command and for whatever is loaded late.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin, transform } from 'esbuild';
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
const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && process.env.HOME + '/.cache');
require('node:module').enableCompileCache(cache ? cache + '/ai-coreutils/code' : undefined);
require('./main.cjs');
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

/** The chunks as ES modules: only those can be split. */
async function bundle() {
  return build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/start.ts',
      // What is loaded without waiting: lib/ir/late.ts.
      'json-repair': 'src/lib/grammars/json-repair.ts',
      'yaml-parse': 'src/lib/grammars/yaml-parse.ts',
      recovery: 'src/commands/recover-tools/recovery.ts',
      'tool-prompt': 'src/lib/grammars/tool-prompt.ts',
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
    plugins: [builtins],
  });
}

/** A chunk as a CommonJS module. Node reads those in one go; ES modules cost a trip through its thread pool each. */
async function commonJs(text: string): Promise<string> {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node22.13',
    supported: { 'dynamic-import': false },
    define: { __url: 'file' },
    banner: text.includes('__url') ? "const file='file://'+__filename;" : '',
    minify,
  });
  return code;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const { outputFiles, metafile } = await bundle();
for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.cjs') ? await commonJs(text) : text);
// Read on demand: data in the bundle would be parsed at every start.
cpSync(join(root, 'src/lib/models/data'), join(out, 'data'), { recursive: true });
writeTokens(out);
writeFileSync(join(out, 'start.cjs'), START);
writeFileSync(join(out, 'metafile.json'), JSON.stringify(metafile));
