import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    own('model: from-project\naliases: {b: z}\nroute: {strategy: load, budget: 3}\n');
    const settings = await load(
      { AI_ROUTE_STRATEGY: 'round-robin', AI_MODEL: 'from-env' },
      { defaults: { route: { priority: 'balanced', output: 5 } }, flags: { model: 'from-flag' } },
    );
    expect(settings.config).toEqual({
      model: 'from-flag',
      aliases: { a: 'x', b: 'y' },
      route: { priority: 'speed', strategy: 'round-robin', seed: 1, output: 5, budget: 3 },
    });
    const places = Object.fromEntries(origins(settings.layers).map(({ path, place }) => [path.join('.'), place]));
    expect(places).toEqual({
      'aliases.a': expect.stringMatching(/config\.yaml:2$/),
      'aliases.b': expect.stringMatching(/home\/.*config\.yaml:2$/),
      model: 'option --model',
      'route.budget': expect.stringMatching(/project\/\.ai\/config\.yaml:3$/),
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
    own('budget: {day: 1}');
    const day = async (cwd: string) => (await loadSettings({ env: {}, cwd })).config.budget?.day;
    mkdirSync(join(project, 'a/b'), { recursive: true });
    expect(await day(join(project, 'a/b'))).toBe(1);
    rmSync(join(project, '.git'), { recursive: true });
    expect(await day(join(project, 'a/b'))).toBeUndefined();
    expect(await day(project)).toBe(1);
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
    // The caller's PATH may have a directory that may not be entered, which says otherwise.
    const failed = load({ PATH: '/usr/bin:/bin' }).catch((error) => error);
    const { place, message: said, status } = await failed;
    expect(`${place}: ${said}`).toMatch(message);
    expect(status).toBe(78);
  });

  test('a command may take five seconds', async () => {
    user('model: $(sleep 600)');
    await expect(load({ PATH: process.env.PATH ?? '' })).rejects.toThrow('it did not end within 5 s');
  }, 20_000);

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
    ['providers: {nosuch: {}}', 'providers.nosuch: "apis" is missing'],
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

describe('a file of the project', () => {
  test('lowers budgets and limits, and raises none', async () => {
    user(
      'budget: {day: 20, call: 1, alerts: [1], command: "true"}\nlimits: {openai: {requests: 10/min, tokens: 100/min}, x/y: {requests: 9/s}}',
    );
    own(
      'budget: {day: 5, call: 2, project: 50}\nlimits: {openai/m: {requests: 100/s}, openai/n: {requests: 1/min}, x: {requests: 1/h, tokens: 3/s}}',
    );
    const { config, notes } = await load();
    expect(config.budget).toEqual({ day: 5, call: 1, project: 50, alerts: [1], command: 'true' });
    expect(config.limits).toEqual({
      openai: { requests: '10/min', tokens: '100/min' },
      'openai/m': { requests: '10/min', tokens: '100/min' },
      'openai/n': { requests: '1/min', tokens: '100/min' },
      'x/y': { requests: '1/h', tokens: '3/s' },
      x: { requests: '1/h', tokens: '3/s' },
    });
    expect(notes).toEqual([expect.stringContaining('ignored: budget.call, limits.openai/m.requests (')]);
  });

  test('a rate of nothing is no limit, and does not take the place of one', async () => {
    user('limits: {openai: {requests: 10/min}}');
    own('limits: {openai: {requests: 0/min}}');
    expect((await load()).config.limits).toEqual({ openai: { requests: '10/min' } });
  });

  const NOT_ITS = {
    model: 'box/m',
    small_model: 'box/m',
    credentials: 'logins',
    aliases: { 'anthropic/claude-sonnet-4-5': 'http://127.0.0.1:9/v1/m', sonnet: 'http://127.0.0.1:9/v1/m' },
    providers: {
      box: { kind: 'local', apis: { openai: 'http://127.0.0.1:9/v1' } },
      openai: { key: '$(touch witness)' },
    },
    models: ['models.json'],
    route: {
      rules: [{ use: 'box/m' }],
      candidates: ['box/m'],
      fallbacks: ['box/m'],
      allow: ['box/*'],
      deny: ['*'],
      tasks: {},
    },
    budget: { command: 'touch witness', alerts: [0.1] },
    limits: { openai: { requests: '${OPENAI_API_KEY}/s' } },
    'no such setting': 1,
  };

  test.each(['config.yaml', 'config.yml', 'config.json'])(
    'says nothing else, and a note names the file and what is ignored: %s',
    async (name) => {
      user('model: mine');
      const file = own(JSON.stringify(NOT_ITS), name);
      const { config, aliases, catalogue, keys, notes } = await load({
        OPENAI_API_KEY: 'sk-secret',
        PATH: process.env.PATH ?? '',
      });
      expect(config).toEqual({ model: 'mine', limits: { openai: {} } });
      expect([aliases.size, keys.size, catalogue.provider('box')]).toEqual([0, 0, undefined]);
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(
        /ignored: model, small_model, credentials, aliases, providers, models, route\.rules, route\.candidates and \d+ more/,
      );
      expect(notes[0]).toContain(file);
      expect(notes[0]).not.toContain('sk-secret');
      expect(existsSync(join(project, 'witness')) || existsSync('witness')).toBe(false);
    },
  );

  test('models.json is ignored as a whole', async () => {
    const file = own(
      '{"default": "openai/gpt-4o", "overrides": {"openai/gpt-4o": {"price": {"input": 0}}}}',
      'models.json',
    );
    const { config, catalogue, notes } = await load();
    expect(config.model).toBeUndefined();
    expect(catalogue.model('gpt-4o', 'openai')?.price?.input).toBeGreaterThan(0);
    expect(notes).toEqual([expect.stringContaining(`${file}: ignored: all of it`)]);
  });

  test('a link to a device is not read', async () => {
    mkdirSync(join(project, '.ai'), { recursive: true });
    symlinkSync('/dev/zero', join(project, '.ai/config.yaml'));
    await expect(load()).rejects.toThrow('cannot read the configuration: it is not a regular file');
  });

  test('a budget that is none is an error: it would not be kept', async () => {
    own('budget: {day: lots}');
    await expect(load()).rejects.toThrow('budget.day: expected a number');
  });

  test('a relative XDG_CONFIG_HOME is not the user’s: it would be the working directory', async () => {
    user('model: mine');
    write(join(project, 'conf/ai/config.yaml'), 'model: theirs');
    expect((await load({ XDG_CONFIG_HOME: join('.', 'conf') })).config.model).toBe('mine');
  });
});
