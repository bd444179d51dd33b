// A shell script as the simple commands that it may run. The only file that knows the parser, which is loaded when a shell rule is judged.
import type { Assignment, Command, CommandArgument, Redirect, SyntaxNode } from 'unbash';
import { readWord, type ShellWord } from './words.ts';

export interface SimpleCommand {
  /** The name and the arguments; none for a command of assignments alone. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the name. */
  readonly assignments: readonly { readonly name: string; readonly text: string; readonly value: string | undefined }[];
  /** The whole of it as it was written, redirections left out. */
  readonly text: string;
}

export interface Script {
  readonly commands: readonly SimpleCommand[];
  /** Files that it reads from or writes to by redirection. */
  readonly targets: readonly { readonly word: ShellWord; readonly writes: boolean }[];
  /** Why nobody can vouch for it by looking at its commands. */
  readonly doubts: readonly string[];
  /** It could not be read: there may be commands in it that are not listed. */
  readonly unread: boolean;
}

export type ReadScript = (source: string) => Script;

/** Longer scripts are not looked into. */
const LONGEST = 200_000;

/** Loads the parser. The function that it gives never throws: what it cannot read is `unread`. */
export async function shellReader(): Promise<ReadScript> {
  const { parse, forEachChild } = await import('unbash');
  return (source) => {
    if (source.length > LONGEST) return nothing('it is too long to be looked into');
    try {
      const found = new Finder(source, forEachChild);
      found.visit(parse(source));
      return found;
    } catch {
      return nothing('it cannot be parsed');
    }
  };
}

const nothing = (doubt: string): Script => ({ commands: [], targets: [], doubts: [doubt], unread: true });

/** What is no simple command, and what then stands for it in a reason. */
const DOUBTS: { readonly [type: string]: string } = {
  CommandExpansion: 'it has a command substitution',
  ProcessSubstitution: 'it has a process substitution',
  ArithmeticCommandExpansion: 'it has a command substitution',
  ArithmeticExpansion: 'it has an arithmetic expansion',
  ArithmeticCommand: 'it has an arithmetic command',
  ArithmeticFor: 'it has an arithmetic command',
  TestCommand: 'it has a [[ test ]]',
  HereDoc: 'it has a here-document',
  HereString: 'it has a here-string',
  Function: 'it defines a function',
  Coproc: 'it starts a coprocess',
};

class Finder implements Script {
  readonly commands: SimpleCommand[] = [];
  readonly targets: { word: ShellWord; writes: boolean }[] = [];
  readonly doubts: string[] = [];
  unread = false;
  /** Scripts whose text is decoded from another (backticks) have a source of their own. */
  #source: string;
  readonly #children: (node: SyntaxNode, visit: (child: SyntaxNode) => void) => void;

  constructor(source: string, children: (node: SyntaxNode, visit: (child: SyntaxNode) => void) => void) {
    this.#source = source;
    this.#children = children;
  }

  visit(node: SyntaxNode): void {
    const outer = this.#source;
    if (node.type === 'Script') {
      this.#source = node.source ?? outer;
      if (node.errors?.length) this.#fail('it cannot be parsed');
    }
    this.#note(node);
    this.#children(node, (child) => this.visit(child));
    this.#source = outer;
  }

  #note(node: SyntaxNode): void {
    const doubt = DOUBTS[node.type];
    if (doubt) this.doubts.push(doubt);
    if (node.type === 'Command') this.#command(node);
    else if (node.type === 'Redirect') this.#redirect(node);
    else if ('script' in node && node.script === undefined) this.#fail('a substitution in it cannot be parsed');
    else if (node.type === 'ParameterExpansion') {
      const { operation } = node;
      // `${x@P}` runs what is in the variable; the others change it.
      if (operation?.type === 'Transform' || operation?.type === 'Unknown')
        this.doubts.push('it transforms a variable');
      if (operation?.type === 'Default' && operation.operator.endsWith('=')) this.doubts.push('it sets a variable');
    } else if ((node.type === 'For' || node.type === 'Select') && /^[A-Z_]+$/.test(node.name.value))
      this.doubts.push('it sets a variable');
  }

  #fail(doubt: string): void {
    this.doubts.push(doubt);
    this.unread = true;
  }

  #command({ name, prefix, args, pos, end, redirects }: Command): void {
    const assigned = prefix.filter((each) => each.type === 'Assignment');
    const assignments = assigned.map((each) => ({ name: each.name, text: each.text, value: assignedValue(each) }));
    if (name === undefined && assignments.length > 0) this.doubts.push('it sets a variable');
    const words = [...(name ? [readWord(name)] : []), ...args.map(argument)];
    const cut =
      redirects.length > 0 ? [...assigned, ...words].map(({ text }) => text).join(' ') : this.#source.slice(pos, end);
    this.commands.push({ words, assignments, text: cut });
  }

  #redirect({ operator, target }: Redirect): void {
    const word = target && readWord(target);
    if ((operator === '>&' || operator === '<&') && word?.value !== undefined && /^(\d+-?|-)$/.test(word.value)) return;
    // bash ends the redirection at the dash, and begins a word there.
    if ((operator === '>&' || operator === '<&') && /^\d*-/.test(word?.text ?? '-'))
      this.#fail('a redirection in it cannot be read');
    if (word?.value === '/dev/null') return;
    this.doubts.push('it has a redirection');
    if (word) this.targets.push({ word, writes: operator !== '<' && operator !== '<&' });
  }
}

/** An argument. What `export` and its like are given may be an assignment. */
function argument(arg: CommandArgument): ShellWord {
  if (arg.type === 'Word') return readWord(arg);
  const value = assignedValue(arg);
  return { text: arg.text, value: value === undefined ? undefined : `${arg.name}=${value}`, glob: false };
}

function assignedValue({ value }: Assignment): string | undefined {
  return value.type === 'Word' ? readWord(value).value : undefined;
}
