import { quote } from '../kit/text.ts';
import { toRegExp } from './iRegexp.ts';
import { Reader } from './reader.ts';
import {
  COMPARISONS,
  type Operand,
  PathError,
  type Query,
  type Segment,
  type Selector,
  type Test,
} from './syntax.ts';

/** Of one path. What is no path of RFC 9535 is a `PathError`, and so is a pattern that is no literal. */
export function parsePath(path: string): Query {
  if (!path.isWellFormed()) throw new PathError('must not hold half a character');
  const parser = new Parser(new Reader(path));
  return parser.path();
}

/** A function is a test or an operand by its type; all arguments of ours are operands. */
type Term = { readonly operand: Operand } | { readonly query: Query } | { readonly test: Test };

class Parser {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  path(): Query {
    this.#reader.expect('$');
    const query = { isRelative: false, segments: this.#segments() };
    if (!this.#reader.isAtEnd) this.#reader.fail('`.` or `[`');
    return query;
  }

  #segments(): Segment[] {
    const segments: Segment[] = [];
    while (this.#reader.skipBlanksBefore('.[')) segments.push(this.#segment());
    return segments;
  }

  #segment(): Segment {
    if (this.#reader.isBefore('[')) return { isDescendant: false, selectors: this.#bracketed() };
    const isDescendant = this.#reader.takes('..');
    if (isDescendant && this.#reader.isBefore('[')) return { isDescendant, selectors: this.#bracketed() };
    if (!isDescendant) this.#reader.expect('.');
    if (this.#reader.takes('*')) return { isDescendant, selectors: [{ kind: 'wildcard' }] };
    const name = this.#reader.name() ?? this.#reader.fail('a name or `*`');
    return { isDescendant, selectors: [{ kind: 'name', name }] };
  }

  #bracketed(): Selector[] {
    this.#reader.expect('[');
    const selectors = this.#listOf(() => this.#selector());
    this.#reader.expect(']');
    return selectors;
  }

  #listOf<T>(read: () => T): T[] {
    const items: T[] = [];
    do {
      this.#reader.skipBlanks();
      items.push(read());
      this.#reader.skipBlanks();
    } while (this.#reader.takes(','));
    return items;
  }

  #selector(): Selector {
    if (this.#reader.takes('*')) return { kind: 'wildcard' };
    if (this.#reader.takes('?')) {
      this.#reader.skipBlanks();
      return { kind: 'filter', test: this.#test() };
    }
    const name = this.#reader.string();
    return name === undefined ? this.#indexOrSlice() : { kind: 'name', name };
  }

  #indexOrSlice(): Selector {
    const start = this.#reader.integer();
    if (this.#reader.skipBlanksBefore(':')) return this.#slice(start);
    return { kind: 'index', index: start ?? this.#reader.fail('a selector') };
  }

  #slice(start: number | undefined): Selector {
    this.#reader.expect(':');
    this.#reader.skipBlanks();
    const end = this.#reader.integer();
    if (!this.#reader.skipBlanksBefore(':')) return { kind: 'slice', start, end, step: 1 };
    this.#reader.expect(':');
    this.#reader.skipBlanks();
    return { kind: 'slice', start, end, step: this.#reader.integer() ?? 1 };
  }

  #test(): Test {
    return this.#joined('or', '||', () => this.#joined('and', '&&', () => this.#basicTest()));
  }

  #joined(kind: 'or' | 'and', operator: string, read: () => Test): Test {
    const first = read();
    const tests = [first];
    for (;;) {
      this.#reader.skipBlanks();
      if (!this.#reader.takes(operator)) return tests.length === 1 ? first : { kind, tests };
      this.#reader.skipBlanks();
      tests.push(read());
    }
  }

  #basicTest(): Test {
    if (this.#reader.takes('!')) {
      this.#reader.skipBlanks();
      return { kind: 'not', test: this.#parenthesised() ?? this.#asTest(this.#term()) };
    }
    return this.#parenthesised() ?? this.#comparisonOrTest();
  }

  #parenthesised(): Test | undefined {
    if (!this.#reader.takes('(')) return undefined;
    this.#reader.skipBlanks();
    const test = this.#test();
    this.#reader.skipBlanks();
    this.#reader.expect(')');
    return test;
  }

  #comparisonOrTest(): Test {
    const left = this.#term();
    this.#reader.skipBlanks();
    const by = COMPARISONS.find((operator) => this.#reader.takes(operator));
    if (by === undefined) return this.#asTest(left);
    this.#reader.skipBlanks();
    return { kind: 'comparison', by, left: this.#asOperand(left), right: this.#asOperand(this.#term()) };
  }

  #asTest(term: Term): Test {
    if ('query' in term) return { kind: 'exists', query: term.query };
    return 'test' in term ? term.test : this.#reader.fail('a comparison with this value');
  }

  #asOperand(term: Term): Operand {
    if ('operand' in term) return term.operand;
    if ('query' in term && isSingular(term.query)) return { kind: 'value', query: term.query };
    return this.#reader.fail('a value, and no query of several nodes or test,');
  }

  #asQuery(term: Term): Query {
    return 'query' in term ? term.query : this.#reader.fail('a query as the argument');
  }

  #term(): Term {
    const isRelative = this.#reader.takes('@');
    if (isRelative || this.#reader.takes('$')) return { query: { isRelative, segments: this.#segments() } };
    const name = this.#reader.functionName();
    if (name !== undefined) return this.#call(name);
    const value = this.#reader.literal();
    return value === undefined
      ? this.#reader.fail('a query or a value')
      : { operand: { kind: 'literal', value } };
  }

  #call(name: string): Term {
    this.#reader.expect('(');
    const [first, second, ...more] = this.#listOf(() => this.#term());
    const isPattern = name === 'match' || name === 'search';
    if (first === undefined || more.length > 0 || (second !== undefined) !== isPattern)
      this.#reader.fail(`another number of arguments of ${quote(name)}`);
    this.#reader.expect(')');
    if (name === 'length') return { operand: { kind: 'length', of: this.#asOperand(first) } };
    if (name === 'count' || name === 'value') return { operand: { kind: name, query: this.#asQuery(first) } };
    if (!isPattern || second === undefined) throw new PathError(`calls ${quote(name)}, which is no function`);
    const pattern = toRegExp(patternOf(name, second), { isComplete: name === 'match' });
    return { test: { kind: 'matches', text: this.#asOperand(first), pattern } };
  }
}

/** A pattern from the output could run without end, or match what the output likes. */
function patternOf(name: string, term: Term): string {
  const operand = 'operand' in term ? term.operand : undefined;
  if (operand?.kind === 'literal' && typeof operand.value === 'string') return operand.value;
  throw new PathError(`must give ${name}() its pattern as a text in quotes`);
}

/** It leads to one value at most. */
export function isSingular({ segments }: Query): boolean {
  return segments.every(
    ({ isDescendant, selectors: [first, ...more] }) =>
      !isDescendant && more.length === 0 && (first?.kind === 'name' || first?.kind === 'index'),
  );
}
