// Bundles the programs into dist/: one entry, and a chunk for each command and for whatever is loaded late.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');

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
import('./start.js');
`;

/**
 * Takes Node's own modules with getBuiltinModule. Importing them by name runs all their getters, some of which load large parts of Node:
 * 8 ms of the start of every program.
 */
const builtins: Plugin = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace(/^node:/, ''), namespace: 'builtin' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const result = await build({
  absWorkingDir: root,
  entryPoints: { start: 'src/start.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.13',
  minify: !process.argv.includes('--plain'),
  keepNames: false,
  metafile: true,
  legalComments: 'linked',
  logLevel: 'warning',
  chunkNames: '[name]-[hash]',
  plugins: [builtins],
});
// Read on demand: data in the bundle would be parsed at every start.
cpSync(join(root, 'src/lib/models/data'), join(out, 'data'), { recursive: true });
writeFileSync(join(out, 'start.cjs'), START);
writeFileSync(join(out, 'metafile.json'), JSON.stringify(result.metafile));
