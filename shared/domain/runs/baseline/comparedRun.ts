import type { ComparedRun } from '../../../contracts/baseline/comparedRun.ts';
import type { Against } from '../../../scoring/verdict/baseline/baseline.ts';
import type { KeptComparison } from '../../../scoring/verdict/baseline/compared.ts';
import { loadComparison } from '../../../scoring/verdict/baseline/loaded.ts';
import { baselineId } from '../../revisions/ids.ts';
import type { JudgedRun, PairCases } from './against.ts';
import type { AcceptedReader, CommitStore, WaiverReader } from './ports.ts';

/** What a run keeps of its comparison. */
export interface NamedComparison extends KeptComparison {
  /** Of the baseline. */
  readonly name: string;
}

/** What a verdict depends on beside the run and its bar. */
export interface RelativeDeps {
  readonly baselines: AcceptedReader;
  readonly pairCases: PairCases;
  readonly waivers: WaiverReader;
  readonly commits: CommitStore;
}

/** The baseline of a run, which its revisions name. */
export interface RunBaseline {
  readonly name: string;
  /** Undefined where it is gone: nothing can be compared with it. */
  readonly against: Against | undefined;
}

/** Null without a baseline. */
export async function baselineOf(
  { baselines, pairCases }: Pick<RelativeDeps, 'baselines' | 'pairCases'>,
  run: JudgedRun,
): Promise<RunBaseline | null> {
  const { baseline: name, chain } = run.suiteRevision;
  if (name === null) return null;
  await loadComparison();
  const accepted = await baselines.accepted(chain, name);
  return { name, against: accepted && (await pairCases(run, accepted)) };
}

const round = (value: number): number => Number(value.toPrecision(9));

/** As a run keeps it. Null without a baseline. */
export function keptWith(
  baseline: RunBaseline | null,
  compared: KeptComparison | undefined,
): NamedComparison | null {
  if (baseline === null) return null;
  const kept = compared ?? NOT_COMPARED;
  return { ...kept, pValue: round(kept.pValue), name: baseline.name };
}

/** Its baseline is gone. */
const NOT_COMPARED: KeptComparison = {
  newlyFailing: [],
  newlyFailingCount: 0,
  difference: 0,
  pValue: 1,
  comparable: false,
};

/** As a run of the suite answers it. */
export function shownComparison(
  suiteId: string,
  compared: NamedComparison | null,
): { readonly baseline_id: string | null; readonly comparison: ComparedRun | null } {
  if (compared === null) return { baseline_id: null, comparison: null };
  const { name, newlyFailing, newlyFailingCount, difference, pValue, comparable } = compared;
  const baseline_id = baselineId(suiteId, name);
  return {
    baseline_id,
    comparison: {
      baseline_id,
      newly_failing: [...newlyFailing],
      newly_failing_count: newlyFailingCount,
      difference,
      p_value: pValue,
      comparable,
    },
  };
}
