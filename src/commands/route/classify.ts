// What kind of task a text asks for, by its words. Where nothing speaks, there is no opinion: words are a weak sign of how hard a task is.
import { TASKS, type Task } from '../../lib/config/types.ts';

export interface Classification {
  readonly task: Task;
  /** The words that spoke for it, at most a few. */
  readonly signals: readonly string[];
}

/** Words and their weight. A phrase of two words has a space. */
const SIGNALS: { readonly [task in Task]: string } = {
  code_generation: `implement:3 write a:1 create a:1 build:2 add:1 generate:2 function:1 class:1 script:2 endpoint:2 component:2 feature:2 code:1
    program:2 refactor:3 rewrite:2 port:2 migrate:2 convert:2 scaffold:3 regex:2 query:1 cli:1 module:1 python:1 typescript:1 rust:1 sql:1
    write a function:3 write a method:3 write a program:3 write a class:3 write a query:3 write code:3 write some code:3 code for:2 flag:1 make a:2 toggle:1`,
  code_review: `review:4 critique:3 pr:2 diff:3 changes:1 pull request:4 code smell:4 feedback:2 approve:2 lgtm:3 nitpick:3 readability:2
    audit:2 improve this:1 best practices:2
    look over:3 my changes:2 what you think:2 is this code:2 any bugs:2 style:1 second opinion:3`,
  debugging: `bug:4 debug:4 error:3 exception:4 traceback:5 stack trace:5 crash:4 crashes:4 fails:3 failing:3 failed:2 fix:3 broken:3
    undefined:2 segfault:5 panic:3 null pointer:4 why does:1 doesn't work:4 not working:4 wrong output:3 regression:3 leak:3 deadlock:4
    hangs:3 is not a function:4 not defined:3 not found:2 unexpected:2 on line:1 server returns:2 returns:1 diagnose:4 troubleshoot:4 tests fail:6 test fails:6 slow:2 why is:1
    what's wrong:4 what is wrong:4 typeerror:5 valueerror:5 nullpointerexception:5 enoent:4`,
  documentation: `document:3 documentation:4 docs:3 comment this:2 readme:4 docstring:4 docstrings:4 jsdoc:4 comment:2 comments:2 changelog:4 explain the code:3
    tutorial:3 guide:2 manual:2 release notes:4 man page:4 api reference:4`,
  architecture: `architecture:5 architect:4 design:3 system design:5 scalable:3 scalability:4 microservices:4 microservice:4 trade-offs:3
    tradeoffs:3 roadmap:3 plan:2 planning:3 strategy:2 schema design:4 data model:3 high-level:2 distributed:3 monolith:4 event-driven:4
    migration plan:4 migration:2 structure:2 multi-tenant:3 layout of:1 components:1`,
  testing: `test:3 tests:4 testing:4 unit test:5 unit tests:5 integration test:5 coverage:3 mock:3 mocks:3 fixture:3 assert:2 pytest:5 jest:4
    vitest:5 junit:5 tdd:4 e2e:4 test case:4 test cases:4 property-based:5 fuzz:4 snapshot:2`,
  simple_question: `what is:3 what's:3 what are:2 who is:3 who was:3 who wrote:3 who invented:3 who:1 when was:3 when did:3 where is:3 define:3 meaning of:3 how many:3 how much:2 how old:3
    how far:3 how tall:3 how does:2 explain how:3 what year:3 difference between:3 what does:2 which:1 translate:3 spell:3 synonym:3 capital of:4 hello:3 hi:3 thanks:3 thank you:3 yes:1 no:1 convert:1`,
  complex_reasoning: `prove:5 proof:5 theorem:5 derive:4 step by step:4 reason:2 reasoning:3 analyze:3 analyse:3 analysis:2 optimize:2
    algorithm:3 complexity:3 probability:4 integral:4 equation:3 equations:3 logic:2 puzzle:4 compare:2 evaluate:2 implications:3
    hypothesis:4 why:1 contradiction:4 polynomial:4 matrix:2 np-hard:5`,
};

type Weights = readonly (readonly [Task, number])[];

/** What a word says by itself, and in which phrases it is the first. */
interface Entry {
  alone?: Weights;
  readonly phrases: { readonly words: readonly string[]; readonly weights: Weights }[];
}

let lexicon: ReadonlyMap<string, Entry> | undefined;

function readLexicon(): Map<string, Entry> {
  const weights = new Map<string, [Task, number][]>();
  for (const task of TASKS)
    for (const [, phrase = '', weight] of SIGNALS[task].matchAll(/([^:]+):(\d)\s*/g)) {
      const key = phrase.trim().replace(/\s+/g, ' ');
      weights.set(key, [...(weights.get(key) ?? []), [task, Number(weight)]]);
    }
  const entries = new Map<string, Entry>();
  for (const [phrase, said] of weights) {
    const [word = '', ...rest] = phrase.split(' ');
    const entry = entries.get(word) ?? { phrases: [] };
    entries.set(word, entry);
    if (rest.length === 0) entry.alone = said;
    else entry.phrases.push({ words: rest, weights: said });
  }
  return entries;
}

/** Below this nothing is said; it is what one plain word weighs. */
const LEAST = 3;

/** A question is simple only if it is short. */
const SHORT = 160;

/** More of a text than this says nothing new about its task. */
const READ = 20_000;

/** The task that most speaks for; undefined where too little does, or as much for two. Linear in the length of the text. */
export function classify(text: string): Classification | undefined {
  lexicon ??= readLexicon();
  const words =
    text
      .slice(0, READ)
      .toLowerCase()
      .match(/[a-z][a-z0-9'-]*/g) ?? [];
  const tally = new Tally(text.length <= SHORT);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const entry = lexicon.get(word);
    if (entry === undefined) continue;
    if (entry.alone) tally.say(entry.alone, word);
    for (const phrase of entry.phrases)
      if (phrase.words.every((next, at) => words[i + 1 + at] === next))
        tally.say(phrase.weights, `${word} ${phrase.words.join(' ')}`);
  }
  return tally.result();
}

/** Each signal counts once. */
class Tally {
  readonly #isShort: boolean;
  readonly #said = new Set<string>();
  readonly #sums = new Map<Task, { sum: number; readonly signals: string[] }>();

  constructor(isShort: boolean) {
    this.#isShort = isShort;
  }

  say(weights: Weights, signal: string): void {
    if (this.#said.has(signal)) return;
    this.#said.add(signal);
    for (const [task, weight] of weights) {
      if (task === 'simple_question' && !this.#isShort) continue;
      const score = this.#sums.get(task) ?? { sum: 0, signals: [] };
      score.sum += weight;
      score.signals.push(signal);
      this.#sums.set(task, score);
    }
  }

  result(): Classification | undefined {
    const [first, second] = [...this.#sums].sort(([, a], [, b]) => b.sum - a.sum);
    if (first === undefined || first[1].sum < LEAST || first[1].sum === second?.[1].sum) return undefined;
    return { task: first[0], signals: first[1].signals.slice(0, 5) };
  }
}
