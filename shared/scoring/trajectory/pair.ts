import { fulfils } from './condition.ts';
import type { JudgedCall } from './judgedCall.ts';
import { openPairing, pairMost } from './matching.ts';
import { type Fits, type Interval, intervalsOf, type Step } from './order.ts';
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

export interface Fitting {
  /** By call, the numbers of the places that it may fill. */
  readonly places: readonly (readonly number[])[];
  readonly fits: Fits;
}

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
  const places = calls.map((call) => {
    const { tool, malformed } = call.call;
    if (!call.isCounted) return [];
    if (malformed) {
      call.isDue = true;
      return [];
    }
    const fitting = (byTool.get(tool) ?? []).filter((number) =>
      fulfils(call, all[number]?.condition ?? null),
    );
    call.isDue = !mayBeExtra(tool) || fitting.some((number) => all[number]?.isLimited);
    return fitting;
  });
  const sets = places.map((own) => (own.length > 8 ? new Set(own) : own));
  const fits: Fits = (index, place) => {
    const own = sets[index];
    return own instanceof Set ? own.has(place) : (own?.includes(place) ?? false);
  };
  return { places, fits };
}

/** Without an order among the expected calls. */
export function pairAnyOrder(calls: readonly JudgedCall[], plan: Plan, { places }: Fitting): Paired {
  const all = plan.stages.flat();
  const indices = calls.map((_, index) => index);
  return pairedOf(calls, all, [pairWithin(calls, indices, all, places)]);
}

/** Each stage in the steps that are its own. */
export function pairInOrder(calls: readonly JudgedCall[], plan: Plan, fitting: Fitting): Paired {
  const steps = stepsOf(calls);
  const intervals = intervalsOf(plan.stages, steps, fitting.fits);
  let first = 0;
  const parts = plan.stages.map((stage, at) => {
    const [from, to] = intervals[at] ?? ([0, 0] satisfies Interval);
    const own = steps.slice(from, to).flatMap((step) => step.map(({ index }) => index));
    const base = first;
    first += stage.length;
    const last = first;
    const places = new Map(
      own.map((index) => [
        index,
        (fitting.places[index] ?? [])
          .filter((place) => place >= base && place < last)
          .map((place) => place - base),
      ]),
    );
    const local = calls.map((_, index) => places.get(index) ?? NONE);
    return pairWithin(calls, own, stage, local);
  });
  return pairedOf(calls, plan.stages.flat(), parts);
}

const NONE: readonly number[] = [];

interface Part {
  readonly paired: readonly number[];
  /** By place of this part, how many calls it has. */
  readonly counts: readonly number[];
}

/** First the required places, then all: of Mendelsohn and Dulmage, one pairing does the most of both. */
function pairWithin(
  calls: readonly JudgedCall[],
  own: readonly number[],
  stage: readonly Place[],
  places: readonly (readonly number[])[],
): Part {
  const pairing = openPairing(places, stage.length);
  const counted = own.filter((index) => (places[index]?.length ?? 0) > 0);
  pairMost(pairing, counted, { room: stage.map(({ min }) => min), mayLeave: () => false });
  const due = counted.filter((index) => calls[index]?.isDue);
  const isFree = (index: number): boolean => calls[index]?.isDue === false;
  pairMost(pairing, due, { room: stage.map(({ max }) => max), mayLeave: isFree });
  return {
    paired: own.filter((index) => pairing.placeOf[index] !== -1),
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

function stepsOf(calls: readonly JudgedCall[]): Step[] {
  const steps: { index: number; call: JudgedCall }[][] = [];
  let last = -1;
  for (const [index, call] of calls.entries()) {
    if (call.call.step !== last) steps.push([]);
    last = call.call.step;
    steps.at(-1)?.push({ index, call });
  }
  return steps;
}
