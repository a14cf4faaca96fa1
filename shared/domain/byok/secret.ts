import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/** A text that must not be written anywhere: logs, JSON and templates show `[redacted]`; only `reveal` returns it. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
