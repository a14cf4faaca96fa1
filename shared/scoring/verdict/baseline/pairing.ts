import type { GatedCase } from '../gatedCase.ts';
import type { Against, BarCase, BaselineOutcome } from './baseline.ts';

/** A case of the run, of the baseline, or of both. */
export interface PairedCase {
  readonly place: number | undefined;
  readonly run: GatedCase | undefined;
  readonly baselinePlace: number | undefined;
  readonly baseline: BaselineOutcome | undefined;
  /** In the baseline's bar. */
  readonly baselineWeight: number;
  /** In both bars the same decides its outcome. */
  readonly isSameBar: boolean;
}

/** The run's cases in their order, then those that only the baseline has. */
export function pairedCases(cases: readonly GatedCase[], against: Against): PairedCase[] {
  const { baseline, pairing } = against;
  return pairing === 'by_place'
    ? pairedByPlace(cases, baseline.cases)
    : pairedById({ cases, bar: pairing.run }, { cases: baseline.cases, bar: pairing.baseline });
}

/** What is missing or too much is an error: a comparison of other cases could say anything. */
function expectSame(what: string, caseCount: number, outcomeCount: number): void {
  if (caseCount !== outcomeCount)
    throw new Error(`${what} has ${caseCount} cases and ${outcomeCount} outcomes`);
}

function pairedByPlace(cases: readonly GatedCase[], baseline: readonly BaselineOutcome[]): PairedCase[] {
  expectSame('a bar by place', cases.length, baseline.length);
  return cases.map((run, place) => ({
    place,
    run,
    baselinePlace: place,
    baseline: baseline[place],
    baselineWeight: run.weight,
    isSameBar: true,
  }));
}

interface Side<Outcome> {
  readonly cases: readonly Outcome[];
  readonly bar: readonly BarCase[];
}

function pairedById(run: Side<GatedCase>, baseline: Side<BaselineOutcome>): PairedCase[] {
  expectSame("a run's bar", run.bar.length, run.cases.length);
  expectSame("a baseline's bar", baseline.bar.length, baseline.cases.length);
  const places = new Map(baseline.bar.map(({ id }, place) => [id, place]));
  const ofRun = run.bar.map(({ id, digest }, place): PairedCase => {
    const baselinePlace = places.get(id);
    places.delete(id);
    const other = baselinePlace === undefined ? undefined : baseline.bar[baselinePlace];
    return {
      place,
      run: run.cases[place],
      baselinePlace,
      baseline: baselinePlace === undefined ? undefined : baseline.cases[baselinePlace],
      baselineWeight: other?.weight ?? 0,
      isSameBar: other?.digest === digest,
    };
  });
  const missing = [...places.values()].map(
    (baselinePlace): PairedCase => ({
      place: undefined,
      run: undefined,
      baselinePlace,
      baseline: baseline.cases[baselinePlace],
      baselineWeight: baseline.bar[baselinePlace]?.weight ?? 0,
      isSameBar: false,
    }),
  );
  return [...ofRun, ...missing];
}
