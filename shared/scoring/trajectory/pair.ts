import { fulfils } from './condition.ts';
import type { JudgedCall } from './judgedCall.ts';
import { openPairing, pairMost } from './matching.ts';
import { type Candidate, intervalsOf } from './order.ts';
import type { Place, Plan } from './plan.ts';

/** Which calls fill which expected calls. */
export interface Paired {
  /** How many of the calls that have to be made were made. */
  readonly filled: number;
  /** How many of the calls that need an expected one have it. */
  readonly covered: number;
  readonly isPaired: readonly boolean[];
  /** By the place's number, how many calls it lacks. */
  readonly lacking: readonly number[];
}

/** By call, the numbers of the places that it may fill, rising. */
export type Fitting = readonly (readonly number[])[];

/** Marks the calls that are due on the way: those that fit an expected call with a limit are. */
export function fittingOf(
  calls: readonly JudgedCall[],
  plan: Plan,
  mayBeExtra: (tool: string) => boolean,
): Fitting {
  const all = plan.stages.flat();
  const byTool = new Map<string, number[]>();
  for (const [number, { tool }] of all.entries()) {
    const known = byTool.get(tool);
    if (known === undefined) byTool.set(tool, [number]);
    else known.push(number);
  }
  return calls.map((call) => {
    const { tool, malformed } = call.call;
    if (!call.isCounted) return NONE;
    if (malformed) {
      call.isDue = true;
      return NONE;
    }
    const named = byTool.get(tool) ?? NONE;
    const fitting = named.filter((number) => fulfils(call, all[number]?.condition ?? null));
    call.isDue = !mayBeExtra(tool) || fitting.some((number) => all[number]?.isLimited);
    return fitting;
  });
}

const NONE: readonly number[] = [];

/** Without an order among the expected calls. */
export function pairAnyOrder(calls: readonly JudgedCall[], plan: Plan, fitting: Fitting): Paired {
  const all = plan.stages.flat();
  const [candidates = []] = candidatesOf(calls, [all], fitting);
  return pairedOf(calls, all, [pairWithin(candidates, all)]);
}

/** Each stage in the steps that are its own. */
export function pairInOrder(calls: readonly JudgedCall[], { stages }: Plan, fitting: Fitting): Paired {
  const candidates = candidatesOf(calls, stages, fitting);
  const intervals = intervalsOf(stages, candidates, (calls.at(-1)?.call.step ?? -1) + 1);
  const parts = stages.map((stage, index) => {
    const [from, to] = intervals[index] ?? [0, 0];
    const isWithin = ({ call }: Candidate) => call.call.step >= from && call.call.step < to;
    return pairWithin((candidates[index] ?? []).filter(isWithin), stage);
  });
  return pairedOf(calls, stages.flat(), parts);
}

/** By stage, the calls that fit places of it. */
function candidatesOf(
  calls: readonly JudgedCall[],
  stages: readonly (readonly Place[])[],
  fitting: Fitting,
): Candidate[][] {
  const placed = stages.flatMap((stage, stageIndex) => stage.map((_, place) => ({ stageIndex, place })));
  const candidates = stages.map((): Candidate[] => []);
  for (const [index, call] of calls.entries()) {
    for (const number of fitting[index] ?? NONE) {
      const { stageIndex = 0, place = 0 } = placed[number] ?? {};
      const ofStage = candidates[stageIndex];
      const last = ofStage?.at(-1);
      if (last?.index === index) last.places.push(place);
      else ofStage?.push({ index, call, places: [place] });
    }
  }
  return candidates;
}

interface Part {
  readonly paired: readonly number[];
  /** By place of this part, how many calls it has. */
  readonly counts: readonly number[];
}

/** First the required places, then all: of Mendelsohn and Dulmage, one pairing does the most of both. */
function pairWithin(candidates: readonly Candidate[], stage: readonly Place[]): Part {
  const pairing = openPairing(
    candidates.map(({ places }) => places),
    stage.length,
  );
  const candidateIndexes = candidates.map((_, index) => index);
  const isDue = (index: number): boolean => candidates[index]?.call.isDue === true;
  pairMost(pairing, candidateIndexes, { room: stage.map(({ min }) => min), mayLeave: () => false });
  const mayLeave = (index: number): boolean => !isDue(index);
  pairMost(pairing, candidateIndexes.filter(isDue), { room: stage.map(({ max }) => max), mayLeave });
  return {
    paired: candidates.filter((_, index) => pairing.placeOf[index] !== -1).map(({ index }) => index),
    counts: pairing.callsIn.map(({ length }) => length),
  };
}

function pairedOf(calls: readonly JudgedCall[], all: readonly Place[], parts: readonly Part[]): Paired {
  const paired = new Set(parts.flatMap((part) => part.paired));
  const counts = parts.flatMap((part) => part.counts);
  const lacking = all.map(({ min }, place) => Math.max(0, min - (counts[place] ?? 0)));
  const required = all.reduce((sum, { min }) => sum + min, 0);
  return {
    filled: required - lacking.reduce((sum, count) => sum + count, 0),
    covered: calls.filter((call, index) => call.isDue && paired.has(index)).length,
    isPaired: calls.map((_, index) => paired.has(index)),
    lacking,
  };
}
