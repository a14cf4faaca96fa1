import { canonicalText } from '../digest/documents.ts';
import { holdsLarge } from '../reading/expected.ts';
import { Subject } from '../reading/subject.ts';
import type { Call } from '../trace/trace.ts';

/** A call of a trace, with what its arguments are compared by, made when it is needed. */
export class JudgedCall {
  readonly call: Call;
  /** It may fill an expected call; a failed one has done nothing. */
  readonly isCounted: boolean;
  /** It has to fill one. */
  isDue = false;
  #whole: string | null | undefined;
  readonly #members = new Map<string, string | null>();
  #subject: Subject | undefined;

  constructor(call: Call, isCounted: boolean) {
    this.call = call;
    this.isCounted = isCounted;
  }

  get isKnown(): boolean {
    return this.call.arguments !== undefined || this.call.text !== undefined;
  }

  /** Null where it equals nothing. */
  get whole(): string | null {
    if (this.#whole === undefined) this.#whole = comparable(this.call.text ?? this.call.arguments);
    return this.#whole;
  }

  member(name: string): string | null {
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const members = this.call.arguments ?? {};
    const text = Object.hasOwn(members, name) ? comparable(members[name]) : null;
    this.#members.set(name, text);
    return text;
  }

  /** For assertions. */
  get subject(): Subject {
    this.#subject ??= new Subject(JSON.stringify(this.call.text ?? this.call.arguments));
    return this.#subject;
  }
}

/** A text that is the same for equal values. Null for what holds a number beyond 2^53, which may have been rounded. */
export const comparable = (value: unknown): string | null =>
  value === undefined || holdsLarge(value) ? null : canonicalText(value);
