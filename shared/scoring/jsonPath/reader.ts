import { firstMisread, firstVanishing } from '../../contracts/json/roundedNumbers.ts';
import { quote } from '../kit/text.ts';
import { PathError } from './syntax.ts';

const BLANKS = /[ \t\n\r]*/y;
const NAME = /[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*/uy;
const FUNCTION_NAME = /[a-z][a-z_\d]*(?=\()/y;
const INTEGER = /0(?!\d)|-?[1-9]\d*/y;
const NUMBER = /-?(?:0(?!\d)|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const KEYWORD = /(?:true|false|null)(?![\w\u0080-\u{10ffff}])/uy;
const ESCAPED =
  /[bfnrt/\\]|u(?:[\da-ce-fA-CE-F][\da-fA-F]{3}|[dD][0-7][\da-fA-F]{2}|[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})/y;
const CONTROL_MAX = 0x1f;

/** The text of a path, read from its beginning to its end. */
export class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  fail(expected: string): never {
    const rest = this.isAtEnd ? 'its end' : quote(this.#text.slice(this.#at), 20);
    throw new PathError(`must have ${expected} at character ${this.#at + 1}, before ${rest}`);
  }

  skipBlanks(): void {
    this.#match(BLANKS);
  }

  /** Blanks belong to a path only before something that goes on with it. */
  skipBlanksBefore(starts: string): boolean {
    const before = this.#at;
    this.skipBlanks();
    if (!this.isAtEnd && starts.includes(this.#text.charAt(this.#at))) return true;
    this.#at = before;
    return false;
  }

  isBefore(token: string): boolean {
    return this.#text.startsWith(token, this.#at);
  }

  takes(token: string): boolean {
    if (!this.isBefore(token)) return false;
    this.#at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.takes(token)) this.fail(`\`${token}\``);
  }

  name(): string | undefined {
    return this.#match(NAME);
  }

  functionName(): string | undefined {
    return this.#match(FUNCTION_NAME);
  }

  integer(): number | undefined {
    const written = this.#match(INTEGER);
    if (written === undefined) return undefined;
    const value = Number(written);
    if (Number.isSafeInteger(value)) return value;
    throw new PathError(`holds the index ${quote(written, 30)}, which is beyond 2^53`);
  }

  literal(): string | number | boolean | null | undefined {
    const keyword = this.#match(KEYWORD);
    return keyword === undefined ? (this.string() ?? this.#number()) : JSON.parse(keyword);
  }

  #number(): number | undefined {
    const written = this.#match(NUMBER);
    if (written === undefined) return undefined;
    const value = Number(written);
    if (Number.isFinite(value) && !firstMisread(written) && !firstVanishing(written)) return value;
    throw new PathError(`holds the number ${quote(written, 30)}, which is read as another one`);
  }

  string(): string | undefined {
    const opening = this.#text.charAt(this.#at);
    if (opening !== '"' && opening !== "'") return undefined;
    this.#at++;
    let value = '';
    for (;;) {
      const unit = this.#text.charAt(this.#at);
      if (unit === '') this.fail(`a closing ${opening}`);
      if (unit.charCodeAt(0) <= CONTROL_MAX) this.fail('no control character');
      this.#at++;
      if (unit === opening) return value;
      value += unit === '\\' ? this.#escaped(opening) : unit;
    }
  }

  #escaped(opening: string): string {
    if (this.takes(opening)) return opening;
    const escaped = this.#match(ESCAPED) ?? this.fail('an escape that JSON knows');
    return JSON.parse(`"\\${escaped}"`);
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }
}
