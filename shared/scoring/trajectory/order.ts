import type { JudgedCall } from './judgedCall.ts';
import type { Place } from './plan.ts';
import { COVERED, FILLED, numberAt, States } from './states.ts';

/** A call that fits places of a stage, by their numbers in it. */
export interface Candidate {
  /** Its number among the judged calls. */
  readonly index: number;
  readonly call: JudgedCall;
  readonly places: number[];
}

/** The steps of one stage: from the first up to, and without, the second number. */
export type Interval = readonly [from: number, to: number];

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
  const starts = stages.map((stage, index) => {
    const next = best.slice();
    // A stage without a step: it begins where it ends.
    const table = { best, next, start: Int32Array.from(next.keys()) };
    const steps = inSteps(candidates[index] ?? []);
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

/**
 * What counts is how many calls fit, and how many of them are due. With a limit, all of them are. Beginnings of the stage
 * are looked at from the last one back, to the first where no further call can count: what is before never falls.
 */
function extendByPlace({ min, max }: Place, steps: readonly Step[], table: Table): void {
  const { best, next, start } = table;
  const fitting = Int32Array.from(steps, ({ candidates }) => candidates.length);
  const due = Int32Array.from(steps, ({ candidates }) => candidates.filter(({ call }) => call.isDue).length);
  for (const [index, { step }] of steps.entries()) {
    const end = step + 1;
    let [fits, areDue] = [0, 0];
    for (let from = index; from >= 0 && (fits < min || areDue < max); from--) {
      fits += numberAt(fitting, from);
      areDue += numberAt(due, from);
      const begin = steps[from]?.step ?? 0;
      const value = numberAt(best, begin) + FILLED * Math.min(fits, min) + COVERED * Math.min(areDue, max);
      if (value <= numberAt(next, end)) continue;
      next[end] = value;
      start[end] = begin;
    }
    carryOn(end, steps[index + 1]?.step, table);
  }
}

/** Over steps in which no call fits. */
function carryOn(from: number, to: number | undefined, { next, start }: Table): void {
  const last = to ?? next.length - 1;
  for (let step = from + 1; step <= last; step++) {
    if ((next[step] ?? 0) >= (next[from] ?? 0)) continue;
    next[step] = next[from] ?? 0;
    start[step] = start[from] ?? step;
  }
}

/** How often each place of the group is filled is one number, its state. */
function extendByGroup(group: readonly Place[], steps: readonly Step[], table: Table): void {
  const { best, next, start } = table;
  const states = new States(group);
  for (const [index, { step, candidates }] of steps.entries()) {
    states.enter(best[step] ?? 0, step);
    for (const { places, call } of candidates) states.add(places, call.isDue ? COVERED : 0);
    const { value, from } = states.most;
    if (value > (next[step + 1] ?? 0)) {
      next[step + 1] = value;
      start[step + 1] = from;
    }
    carryOn(step + 1, steps[index + 1]?.step, table);
  }
}
