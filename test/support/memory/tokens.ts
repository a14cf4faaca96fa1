/** The engine's error for a malformed request: a mistake in our code, never a failed condition. */
export class ValidationException extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'ValidationException';
  }
}

/** The item and values of an expression. */
export interface Scope {
  readonly item: Readonly<Record<string, unknown>>;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

export type Segment = (scope: Scope) => string | number;
export type Path = readonly Segment[];

const TOKEN = /\s*(?:([#:]?\w*[A-Za-z_]\w*|[#:]\w+)|(\d+)|(<>|<=|>=|[=<>(),.[\]+-]))/y;

/** The tokens of an expression, read from left to right. */
export class Tokens {
  readonly #text: string;
  readonly #tokens: string[] = [];
  /** The placeholders in the expression. */
  readonly placeholders = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    const end = text.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const from = TOKEN.lastIndex;
      const found = TOKEN.exec(text)?.[0].trim();
      if (found === undefined) throw new ValidationException(`Not an expression at ${from}: ${text}`);
      if (/^[#:]/.test(found)) this.placeholders.add(found);
      this.#tokens.push(found);
    }
  }

  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  /** Consumes the next token if it is this one, in any case. */
  takes(token: string): boolean {
    const isNext = this.next?.toUpperCase() === token.toUpperCase();
    if (isNext) this.#at++;
    return isNext;
  }

  expect(token: string): void {
    if (!this.takes(token)) throw new ValidationException(`${token} is missing in ${this.#text}`);
  }

  take(): string {
    const token = this.next;
    if (token === undefined) throw new ValidationException(`Something is missing in ${this.#text}`);
    this.#at++;
    return token;
  }

  /** `name.#name[3]` */
  path(): Path {
    const segments: Segment[] = [this.#name()];
    for (;;) {
      if (this.takes('.')) segments.push(this.#name());
      else if (this.takes('[')) {
        const index = Number(this.take());
        segments.push(() => index);
        this.expect(']');
      } else return segments;
    }
  }

  #name(): Segment {
    const token = this.take();
    if (!token.startsWith('#')) return () => token;
    return ({ names }) => {
      const name = names[token];
      if (name === undefined) throw new ValidationException(`${token} has no name`);
      return name;
    };
  }

  end(): void {
    if (this.next !== undefined) throw new ValidationException(`${this.next} is over in ${this.#text}`);
  }
}

export function valueAt(scope: Scope, path: Path): unknown {
  let value: unknown = scope.item;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = segment(scope);
    if (Array.isArray(value) !== (typeof name === 'number')) return undefined;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value;
}

export function placeholderOf(scope: Scope, token: string): unknown {
  const value = scope.values[token];
  if (value === undefined) throw new ValidationException(`${token} has no value`);
  return value;
}
