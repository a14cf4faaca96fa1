import { canonicalText } from '../digest/documents.ts';
import { caseTwins, whyAmbiguous } from '../kit/reading/caseTwins.ts';
import { holdsLarge } from '../kit/reading/expected.ts';
import { Subject } from '../kit/reading/subject.ts';
import type { Call } from '../kit/trace.ts';

/** A member that arguments have to have. */
export interface Member {
  readonly name: string;
  readonly value: unknown;
  /** Null where it equals nothing. */
  readonly text: string | null;
}

/** A call of a trace, with what its arguments are compared by, made when it is needed. */
export class JudgedCall {
  readonly call: Call;
  /** It may fill an expected call; a failed one has done nothing. */
  readonly isCounted: boolean;
  /** It has to fill one. */
  isDue = false;
  #complete: string | null | undefined;
  #members: Map<string, string | null> | undefined;
  #subject: Subject | undefined;
  #result: Subject | undefined;

  constructor(call: Call, isCounted: boolean) {
    this.call = call;
    this.isCounted = isCounted;
  }

  get isKnown(): boolean {
    return this.call.arguments !== undefined || this.call.text !== undefined;
  }

  /** Null where it equals nothing. */
  get complete(): string | null {
    if (this.#complete === undefined) this.#complete = comparable(this.call.text ?? this.call.arguments);
    return this.#complete;
  }

  has({ name, value, text }: Member): boolean {
    const members = this.call.arguments;
    if (members === undefined || !Object.hasOwn(members, name)) return false;
    const member = members[name];
    if (typeof value === 'string' || typeof member === 'string') return member === value;
    return text !== null && this.#textOf(name, member) === text;
  }

  #textOf(name: string, value: unknown): string | null {
    this.#members ??= new Map();
    const known = this.#members.get(name) ?? comparable(value);
    this.#members.set(name, known);
    return known;
  }

  /** Whether its arguments hold names that differ by case only, and one of them is read. */
  isAmbiguous(names: ReadonlySet<string>): boolean {
    return names.size > 0 && whyAmbiguous(caseTwins(this.call.arguments), names) !== null;
  }

  /** For assertions. */
  get subject(): Subject {
    this.#subject ??= new Subject(JSON.stringify(this.call.text ?? this.call.arguments));
    return this.#subject;
  }

  /** What the tool answered. Undefined where the trace does not have it. */
  get result(): Subject | undefined {
    if (this.call.result === undefined) return undefined;
    this.#result ??= new Subject(JSON.stringify(this.call.result));
    return this.#result;
  }
}

/** A text that is the same for equal values. Null for what holds a number beyond 2^53, which may have been rounded. */
export const comparable = (value: unknown): string | null =>
  value === undefined || holdsLarge(value) ? null : canonicalText(value);
