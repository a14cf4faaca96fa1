import type { Fields } from '../read/values.ts';
import {
  comparedJson,
  equalOf,
  holdingOf,
  type Json,
  type JsonCheck,
  lengthOf,
  type Place,
  partOf,
  type TextCheck,
} from './programChecks.ts';

/** Comparisons that hold all, or of which any has to hold. */
export interface Program {
  readonly checks: readonly (TextCheck | JsonCheck)[];
  readonly isAny: boolean;
}

const TOKEN =
  /\s*(?:('(?:[^'\\\n]|\\['"\\/nt])*'|"(?:[^"\\\n]|\\['"\\/nt])*")|(\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|(-?(?:0|[1-9]\d*)(?:\.\d+)?)|([A-Za-z_$][\w$]*|&&|\|\||[=!]==?|[<>]=?|[=!.()[\];?:]))/y;

/** A text, pattern or number that is written, or a word or sign of the language. */
type Token =
  | { readonly value: string | number }
  | { readonly pattern: string; readonly flags: string }
  | { readonly word: string };

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < text.length; end = TOKEN.lastIndex) {
    const [, quoted, pattern, number, word] = TOKEN.exec(text) ?? [];
    if (quoted !== undefined) {
      const value = quoted.slice(1, -1).replace(/\\(.)/g, (_, sign: string) => ESCAPES.get(sign) ?? sign);
      tokens.push({ value });
    } else if (pattern !== undefined) {
      const close = pattern.lastIndexOf('/');
      tokens.push({ pattern: pattern.slice(1, close), flags: pattern.slice(close + 1) });
    } else if (number !== undefined) tokens.push({ value: Number(number) });
    else if (word !== undefined) tokens.push({ word });
    else return undefined;
  }
  return tokens;
}
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
]);

/** As promptfoo reads it: of one line its expression, of several what they return. Undefined with any other syntax. */
export function readProgram(text: string, vars: Fields): Program | undefined {
  // A line that ends behind `return` returns nothing.
  const tokens = /\breturn\s*[\n\r\u2028\u2029]/.test(text) ? undefined : tokensOf(text);
  return tokens && new Reader(tokens, vars).program(text.includes('\n'));
}

const READ: Json = { isText: false, path: '$', isRead: true };

class Reader {
  #next = 0;
  readonly #tokens: readonly Token[];
  readonly #vars: Fields;
  /** The constant that holds the output as JSON. */
  #constant: string | undefined;

  constructor(tokens: readonly Token[], vars: Fields) {
    this.#tokens = tokens;
    this.#vars = vars;
  }

  program(isBody: boolean): Program | undefined {
    if (this.#word('const') && !this.#declared()) return undefined;
    if (this.#word('return') !== isBody) return undefined;
    const first = this.#check();
    if (first === undefined) return undefined;
    const checks = [first];
    const operator = ['&&', '||'].find((sign) => this.#is(sign));
    while (operator !== undefined && this.#word(operator)) {
      const check = this.#check();
      if (check === undefined) return undefined;
      checks.push(check);
    }
    if (this.#word('?') && !this.#isChoice()) return undefined;
    this.#word(';');
    // What is declared and not looked at may fail.
    const isUnused = this.#constant !== undefined && !('assertions' in first);
    const isComplete = this.#next === this.#tokens.length;
    return isComplete && !isUnused ? { checks, isAny: operator === '||' } : undefined;
  }

  /** `1 : 0`: an answer of more than 0 passes. */
  #isChoice(): boolean {
    const yes = this.#value();
    const no = this.#word(':') ? this.#value() : undefined;
    return (yes === true || (typeof yes === 'number' && yes > 0)) && (no === false || no === 0);
  }

  /** `const data = JSON.parse(output);` */
  #declared(): boolean {
    const name = this.#name();
    if (name === undefined || ['output', 'context', 'JSON'].includes(name)) return false;
    if (!this.#words('=', ...PARSED, ';')) return false;
    this.#constant = name;
    return true;
  }

  #check(): TextCheck | JsonCheck | undefined {
    const isNot = this.#word('!');
    const token = this.#tokens[this.#next];
    if (token !== undefined && 'pattern' in token) {
      this.#next++;
      const { pattern } = token;
      // A pattern that is written in the program is new each time, so that `g` changes nothing.
      const flags = token.flags.replace('g', '');
      const isTested = this.#words('.', 'test', '(', 'output', ')') && !/[yv]/.test(flags);
      return isTested ? { pattern, flags, isNot } : undefined;
    }
    const place = this.#place();
    if (place === undefined) return undefined;
    const isLength = this.#words('.', 'length');
    const method = isLength ? undefined : METHODS.find((name) => this.#words('.', name, '('));
    const operator = method ?? OPERATORS.find((sign) => this.#word(sign));
    const value = operator === undefined ? undefined : this.#value();
    if (operator === undefined || value === undefined) return undefined;
    if (method !== undefined) return this.#word(')') ? holdingOf(place, method, value, isNot) : undefined;
    if (isNot) return undefined;
    if (isLength) return typeof value === 'number' ? lengthOf(place, operator, value) : undefined;
    return place.isText ? equalOf(place, operator, value) : comparedJson(place, operator, value);
  }

  #place(): Place | undefined {
    const isRead = this.#words(...PARSED) || (this.#constant !== undefined && this.#word(this.#constant));
    if (!isRead && !this.#word('output')) return undefined;
    let place: Place = isRead ? READ : { isText: true, isLower: false, isTrimmed: false };
    for (;;) {
      if (place.isText && this.#words('.', 'trim', '(', ')')) place = { ...place, isTrimmed: true };
      else if (place.isText && this.#words('.', 'toLowerCase', '(', ')')) place = { ...place, isLower: true };
      else {
        const step = this.#step();
        if (step === undefined) return place;
        const part = partOf(place, step);
        if (part === undefined) return undefined;
        place = part;
      }
    }
  }

  /** `.name`, `["name"]` or `[0]`, but no length and no method. */
  #step(): string | number | undefined {
    const start = this.#next;
    if (this.#word('.')) {
      const name = this.#name();
      if (name !== undefined && name !== 'length' && !this.#is('(')) return name;
    } else if (this.#word('[')) {
      const token = this.#tokens[this.#next++];
      if (token !== undefined && 'value' in token && this.#word(']')) return token.value;
    }
    this.#next = start;
    return undefined;
  }

  /** What is written, or a variable of the test. */
  #value(): unknown {
    const token = this.#tokens[this.#next];
    if (token !== undefined && 'value' in token) {
      this.#next++;
      return token.value;
    }
    const constant = CONSTANTS.find(([name]) => this.#word(name));
    if (constant !== undefined) return constant[1];
    const name = this.#words('context', '.', 'vars', '.') ? this.#name() : undefined;
    const value = name !== undefined && Object.hasOwn(this.#vars, name) ? this.#vars[name] : undefined;
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && !/\{[{%#]/.test(String(value));
    return isPlain ? value : undefined;
  }

  #is(word: string): boolean {
    const token = this.#tokens[this.#next];
    return token !== undefined && 'word' in token && token.word === word;
  }

  #word(word: string): boolean {
    const isNext = this.#is(word);
    if (isNext) this.#next++;
    return isNext;
  }

  /** All of them, or none. */
  #words(...words: readonly string[]): boolean {
    const start = this.#next;
    const areNext = words.every((word) => this.#word(word));
    if (!areNext) this.#next = start;
    return areNext;
  }

  #name(): string | undefined {
    const token = this.#tokens[this.#next];
    if (token === undefined || !('word' in token) || !/^[\w$]/.test(token.word)) return undefined;
    this.#next++;
    return token.word;
  }
}

const PARSED = ['JSON', '.', 'parse', '(', 'output', ')'];
const METHODS = ['includes', 'startsWith', 'endsWith'];
const OPERATORS = ['===', '!==', '==', '!=', '<=', '<', '>=', '>'];
const CONSTANTS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
