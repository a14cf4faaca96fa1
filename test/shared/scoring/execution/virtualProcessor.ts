import type { Processor } from '../../../../shared/scoring/kit/guard.ts';

const INTERRUPT = Symbol('interrupt');

/** Takes as long for work as a test says, and no time: what goes on beyond its limit is interrupted there. */
export class VirtualProcessor implements Processor {
  #ms = 0;
  #endMs = Number.POSITIVE_INFINITY;
  #isInterrupted = false;

  readonly ms = (): number => this.#ms;

  /** The clock of the caller. No code of an interrupted scorer runs on, which this ensures for what the engine does next. */
  readonly now = (): number => {
    if (this.#isInterrupted) throw INTERRUPT;
    return this.#ms;
  };

  readonly work = (takesMs: number): void => {
    this.#isInterrupted = this.#ms + takesMs > this.#endMs;
    this.#ms = Math.min(this.#ms + takesMs, this.#endMs);
    if (this.#isInterrupted) throw INTERRUPT;
  };

  readonly finishesWithin = (limitMs: number, work: () => void): boolean => {
    this.#endMs = this.#ms + limitMs;
    try {
      work();
      return true;
    } catch (thrown) {
      if (thrown !== INTERRUPT) throw thrown;
      return false;
    } finally {
      this.#endMs = Number.POSITIVE_INFINITY;
      this.#isInterrupted = false;
    }
  };
}
