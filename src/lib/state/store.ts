// The file that every process of this machine shares: SQLite, in WAL mode, so that readers and writers do not wait for each other.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

export type Row = { readonly [column: string]: string | number | null };

/** Raised with the tables below. A file of a later version is left alone. */
const VERSION = 2;

/** What calls under way were called by until version 1 is forgotten: it named processes by numbers that are used again. */
const FLIGHTS = `
  create table flights (
    id integer primary key, provider text not null, model text not null, project text not null, pid integer not null, born text not null,
    until real not null, usd real not null
  );
`;

const TABLES = `
  create table ledger (
    id integer primary key, at real not null, day text not null, provider text not null, model text not null, project text not null,
    input real, cache_read real, cache_write real, output real, reasoning real, usd real, cached integer not null default 0
  );
  create index ledger_day on ledger (day, usd);
  create index ledger_project on ledger (project, usd);
  create table limits (name text primary key, full_at real not null) without rowid;
  create table pauses (name text primary key, until real not null) without rowid;
  create table quotas (name text, of text, most real, remaining real, reset real, primary key (name, of)) without rowid;
  create table breakers (name text primary key, failures integer not null, kind text not null, at real not null, until real not null) without rowid;
  ${FLIGHTS}
  create table alerts (name text primary key) without rowid;
  create table counts (name text primary key, value integer not null) without rowid;
`;

/**
 * What was committed outlives the process, if not the machine. The log stays short: the first process of several to open the file reads all of it,
 * at a millisecond for each megabyte or two. Small pages keep it so without many trips to the disk.
 */
const SETTINGS = 'pragma synchronous = normal; pragma wal_autocheckpoint = 500;';
const PAGE = 'pragma page_size = 1024;';

/** Milliseconds that one process waits for another's write. */
const PATIENCE = 10_000;
const STEP = 5;

/** How much goes into one transaction of a process: more would hold up the next requests of those that are done. */
const AT_ONCE = 8;

/** Work of one process that waits for the next transaction. */
interface Waiting {
  readonly work: () => () => void;
  readonly reject: (error: unknown) => void;
}

export class Store {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #inside = false;
  #waiting: Waiting[] = [];

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens the file, made with its directory where there is none. Throws what SQLite or the file system says. */
  static open(file: string): Store {
    const { dirname } = process.getBuiltinModule('node:path');
    const { mkdirSync } = process.getBuiltinModule('node:fs');
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const { DatabaseSync } = sqlite();
    const store = new Store(new DatabaseSync(file, { timeout: PATIENCE }));
    store.#prepare();
    return store;
  }

  /** A write that holds in full or not at all, whatever happens to this process. One within another is part of it. */
  transact<T>(work: () => T): T {
    if (this.#inside) return work();
    this.#statement('begin immediate').run();
    this.#inside = true;
    try {
      const result = work();
      this.#statement('commit').run();
      return result;
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    } finally {
      this.#inside = false;
    }
  }

  /** The same for what many calls want at once: one transaction for several. Resolves when it holds. */
  together<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const settled = () => {
        const result = work();
        return () => resolve(result);
      };
      const count = this.#waiting.push({ work: settled, reject });
      if (count === 1) setImmediate(() => this.#flush());
      else if (count >= AT_ONCE) this.#flush();
    });
  }

  #flush(): void {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    try {
      for (const tell of this.transact(() => waiting.map(({ work }) => work()))) tell();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  /** The id of the row that it adds. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  close(): void {
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = this.#database.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #prepare(): void {
    if (this.#version() === VERSION) {
      this.#database.exec(SETTINGS);
      return;
    }
    this.#toWal();
    this.#database.exec(SETTINGS);
    this.transact(() => {
      const found = this.#version();
      if (found === VERSION) return;
      if (found > VERSION) throw new Error('it was written by a newer version');
      this.#database.exec(
        `${found === 0 ? TABLES : `drop table flights; ${FLIGHTS}`} pragma user_version = ${VERSION}`,
      );
    });
  }

  /** SQLite does not wait for others when it changes the mode of a file. */
  #toWal(): void {
    for (let waited = 0; ; waited += STEP) {
      try {
        this.#database.exec(`${PAGE} pragma journal_mode = wal;`);
        return;
      } catch (error) {
        if (!/locked|busy/i.test(String(error)) || waited > PATIENCE) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP);
      }
    }
  }

  #version(): number {
    return Number((this.#database.prepare('pragma user_version').get() as Row | undefined)?.user_version ?? 0);
  }
}

/** Node's SQLite. Node 22 warns that it is experimental, on standard error and in front of our own words: that warning alone is left out. */
function sqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  const others = (warning: string | Error, ...rest: unknown[]) => {
    if (!/^SQLite is an experimental feature/.test(String(warning)))
      Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = others as typeof emitWarning;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
