import { type Signal, signal } from '@preact/signals';
import type { Evalgate } from '../../sdk/index.ts';
import { type Problem, problemOf } from './problems.ts';
import { withSession } from './reauthentication.ts';
import { sdk } from './session.ts';

/** What is known of an answer. Data stays while it is asked for again, and when that fails. */
export interface Answer<T> {
  readonly data?: T;
  readonly problem?: Problem;
  /** When the data came, in ms since 1970. */
  readonly atMs?: number;
}

export type Ask<T> = (sdk: Evalgate, options: { readonly signal: AbortSignal }) => Promise<T>;

/** In how many ms it is to be asked again, after so many looks; undefined: not by itself. */
export type Again<T> = (data: T, looks: number) => number | undefined;

export interface Question<T> {
  readonly ask: Ask<T>;
  readonly again?: Again<T> | undefined;
}

/** How long an answer counts as new when a page that shows it is opened again. */
const FRESH_MS = 10_000;

/** An answer that pages share by its key. */
export class Entry<T> {
  readonly answer: Signal<Answer<T>> = signal({});
  #question: Question<T>;
  #users = 0;
  #looks = 0;
  #underWay: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(question: Question<T>) {
    this.#question = question;
  }

  get isUsed(): boolean {
    return this.#users > 0;
  }

  /** The last page that leaves ends what is under way, so that a late answer lands nowhere. */
  use(question: Question<T>): () => void {
    this.#question = question;
    this.#users += 1;
    if (this.#users === 1) {
      this.#looks = 0;
      document.addEventListener('visibilitychange', this.#wake);
      addEventListener('online', this.#wake);
      const { data, atMs = 0 } = this.answer.value;
      if (data === undefined || Date.now() - atMs > FRESH_MS) this.load();
      else this.#plan(question.again?.(data, this.#looks));
    }
    return () => {
      this.#users -= 1;
      if (this.isUsed) return;
      document.removeEventListener('visibilitychange', this.#wake);
      removeEventListener('online', this.#wake);
      clearTimeout(this.#timer);
      if (!this.#underWay) return;
      this.#underWay.abort();
      this.#underWay = undefined;
      // What was asked again is no longer new, though the answer did not come.
      this.answer.value = { ...this.answer.value, atMs: 0 };
    };
  }

  load(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#underWay?.abort();
    const underWay = new AbortController();
    this.#underWay = underWay;
    const { signal } = underWay;
    withSession(() => this.#question.ask(sdk, { signal })).then(
      (data) => {
        if (signal.aborted) return;
        this.answer.value = { data, atMs: Date.now() };
        this.#end(this.#question.again?.(data, this.#looks));
      },
      (error) => {
        if (signal.aborted) return;
        const problem = problemOf(error);
        const { problem: _, ...known } = this.answer.value;
        this.answer.value = { ...known, problem };
        this.#end(problem.againAtMs === undefined ? undefined : problem.againAtMs - Date.now());
      },
    );
  }

  #end(againMs: number | undefined): void {
    this.#underWay = undefined;
    this.#looks += 1;
    this.#plan(againMs);
  }

  #plan(againMs: number | undefined): void {
    if (againMs === undefined || !this.isUsed) return;
    // A hidden page asks nothing: `#wake` asks when it is seen again.
    this.#timer = setTimeout(() => document.hidden || this.load(), againMs);
  }

  #wake = (): void => {
    if (document.hidden || this.#underWay || this.#timer === undefined) return;
    this.load();
  };
}
