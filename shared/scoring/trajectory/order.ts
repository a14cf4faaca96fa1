import type { JudgedCall } from './judgedCall.ts';
import type { Place } from './plan.ts';

/** A call that fits places of a stage, by their numbers in it. */
export interface Candidate {
  /** Its number among the judged calls. */
  readonly index: number;
  readonly call: JudgedCall;
  readonly places: number[];
}

/** The steps of one stage: from the first up to, and without, the second number. */
export type Interval = readonly [from: number, to: number];

/** A call that covers a place counts for the score as one that fills a required one; of equal pairings, that one is taken. */
const COVERED = 4_096;
const FILLED = COVERED + 1;

/**
 * Which steps belong to which stage, so that `filled` + `covered` is the most: calls of one step are paired in one stage,
 * and stages never go back. A dynamic programme: of the first stages over the first steps, what is the most.
 */
export function intervalsOf(
  stages: readonly (readonly Place[])[],
  candidates: readonly (readonly Candidate[])[],
  stepCount: number,
): Interval[] {
  let best = new Int32Array(stepCount + 1);
  const starts = stages.map((stage, at) => {
    const next = best.slice();
    // A stage without a step: it begins where it ends.
    const table = { best, next, start: Int32Array.from(next.keys()) };
    const steps = inSteps(candidates[at] ?? []);
    const [only, other] = stage;
    if (only !== undefined && other === undefined) extendByPlace(only, steps, table);
    else extendByGroup(stage, steps, table);
    best = next;
    return table.start;
  });
  return intervalsBack(starts, stepCount);
}

interface Table {
  /** Of the stages before, over so many steps. */
  readonly best: Int32Array;
  readonly next: Int32Array;
  /** The first step of the stage, where it ends before a step. */
  readonly start: Int32Array;
}

function intervalsBack(starts: readonly Int32Array[], stepCount: number): Interval[] {
  let to = stepCount;
  return starts
    .toReversed()
    .map((start): Interval => {
      const from = start[to] ?? to;
      const interval: Interval = [from, to];
      to = from;
      return interval;
    })
    .reverse();
}

/** Candidates that were called at once. */
interface Step {
  readonly step: number;
  readonly candidates: readonly Candidate[];
}

function inSteps(candidates: readonly Candidate[]): Step[] {
  const steps: { step: number; candidates: Candidate[] }[] = [];
  for (const candidate of candidates) {
    const { step } = candidate.call.call;
    const last = steps.at(-1);
    if (last?.step === step) last.candidates.push(candidate);
    else steps.push({ step, candidates: [candidate] });
  }
  return steps;
}

const stepAt = (steps: readonly Step[], at: number): number => steps[at]?.step ?? 0;
const numberAt = (numbers: Int32Array, at: number): number => numbers[at] ?? 0;

/** What counts is how many calls fit, and how many of them are due. With a limit, all of them are. */
function extendByPlace({ min, max }: Place, steps: readonly Step[], table: Table): void {
  const { best, next, start } = table;
  const fitting = new Int32Array(steps.length + 1);
  const due = new Int32Array(steps.length + 1);
  for (const [at, { step, candidates }] of steps.entries()) {
    const to = at + 1;
    fitting[to] = (fitting[at] ?? 0) + candidates.length;
    due[to] = (due[at] ?? 0) + candidates.filter(({ call }) => call.isDue).length;
    const end = step + 1;
    const worth = (from: number): number =>
      FILLED * Math.min(numberAt(fitting, to) - numberAt(fitting, from), min) +
      COVERED * Math.min(numberAt(due, to) - numberAt(due, from), max);
    const most = worth(0);
    for (let from = at; from >= 0; from--) {
      const begin = stepAt(steps, from);
      const value = numberAt(best, begin) + worth(from);
      if (value > numberAt(next, end)) {
        next[end] = value;
        start[end] = begin;
      }
      // No earlier beginning has more than all that fits so far, and less before it.
      const isFull = numberAt(fitting, to) - numberAt(fitting, from) >= max;
      if (isFull || numberAt(best, begin) + most <= numberAt(next, end)) break;
    }
    carryOn(end, steps[to]?.step, table);
  }
}

/** Over steps in which no call fits. */
function carryOn(from: number, to: number | undefined, { next, start }: Table): void {
  const last = to ?? next.length - 1;
  for (let at = from + 1; at <= last; at++) {
    if ((next[at] ?? 0) >= (next[from] ?? 0)) continue;
    next[at] = next[from] ?? 0;
    start[at] = start[from] ?? at;
  }
}

/** How often each place of the group is filled is one number, its state. */
function extendByGroup(group: readonly Place[], steps: readonly Step[], table: Table): void {
  const { best, next, start } = table;
  const states = new States(group);
  for (const [at, { step, candidates }] of steps.entries()) {
    states.enter(best[step] ?? 0, step);
    for (const { places, call } of candidates) states.add(places, call.isDue ? COVERED : 0, next[step] ?? 0);
    const { value, from } = states.most;
    if (value > (next[step + 1] ?? 0)) {
      next[step + 1] = value;
      start[step + 1] = from;
    }
    carryOn(step + 1, steps[at + 1]?.step, table);
  }
}

class States {
  readonly #value: Int32Array;
  readonly #from: Int32Array;
  readonly #filled: Int32Array;
  readonly #weight: readonly number[];
  /** The most that any state has so far, and where its stage begins. */
  most = { value: -1, from: 0 };
  /** What a state may gain at most. */
  readonly #potential: Int32Array;
  /** By place and state. */
  readonly #isFull: readonly Uint8Array[];

  constructor(group: readonly Place[]) {
    const weight: number[] = [];
    let count = 1;
    for (const { max } of group) {
      weight.push(count);
      count *= max + 1;
    }
    const timesIn = (state: number, place: number): number =>
      Math.floor(state / (weight[place] ?? 1)) % ((group[place]?.max ?? 0) + 1);
    this.#weight = weight;
    this.#value = new Int32Array(count).fill(-1);
    this.#from = new Int32Array(count);
    this.#filled = Int32Array.from({ length: count }, (_, state) =>
      group.reduce((sum, { min }, place) => sum + Math.min(min, timesIn(state, place)), 0),
    );
    const all = group.reduce((sum, { min }) => sum + min, 0);
    this.#potential = Int32Array.from({ length: count }, (_, state) =>
      group.reduce((sum, { max }, place) => sum + COVERED * (max - timesIn(state, place)), FILLED * all),
    );
    this.#isFull = group.map(({ max }, place) =>
      Uint8Array.from({ length: count }, (_, state) => Number(timesIn(state, place) === max)),
    );
  }

  enter(value: number, from: number): void {
    this.#keep(0, value, from);
  }

  /** A call that may stand in one of these places. States only grow, so that no call stands in two. `reached`: by a pairing without it. */
  add(places: readonly number[], worth: number, reached: number): void {
    for (let state = this.#value.length - 1; state >= 0; state--) {
      const value = numberAt(this.#value, state);
      // Even with all places filled it would not be more than there is.
      if (value === -1 || value + numberAt(this.#potential, state) <= reached) continue;
      for (const place of places) {
        if (this.#isFull[place]?.[state] === 1) continue;
        this.#keep(state + (this.#weight[place] ?? 0), value + worth, numberAt(this.#from, state));
      }
    }
  }

  #keep(state: number, value: number, from: number): void {
    const known = this.#value[state] ?? -1;
    if (value < known || (value === known && from <= (this.#from[state] ?? 0))) return;
    this.#value[state] = value;
    this.#from[state] = from;
    const total = value + FILLED * (this.#filled[state] ?? 0);
    const { most } = this;
    if (total > most.value || (total === most.value && from > most.from)) this.most = { value: total, from };
  }
}
