import type { ShownComparison } from '../../contracts/baseline/comparisons.ts';
import { gravestFirst } from '../../scoring/verdict/baseline/compared.ts';
import {
  type ClassedCase,
  type Comparison,
  LISTED_CLASSES,
  type ListedClass,
} from '../../scoring/verdict/baseline/comparison.ts';
import type { Member } from '../revisions/blocks.ts';
import type { AcceptedRuns } from '../runs/baseline/ports.ts';
import type { CaseRow } from '../suites/chains/members.ts';
import type { ShownOutcomes } from './runOutcomes.ts';

const LISTED_MAX = 100;

interface Sources {
  readonly outcomes: ShownOutcomes;
  readonly accepted: AcceptedRuns;
  /** Of the baseline's bar, in the order of its cases. */
  readonly rows: readonly Member<CaseRow>[];
}

/** The gravest cases of each class. */
export function listedCases({ cases }: Comparison, sources: Sources): ShownComparison['cases'] {
  const byClass = Map.groupBy(cases, (one) => one.class);
  const lists = LISTED_CLASSES.map((name) => [name, listOf(byClass.get(name) ?? [], sources)]);
  // The contract says what each list has.
  return Object.fromEntries(lists) as Record<ListedClass, never>;
}

function listOf(cases: readonly ClassedCase[], sources: Sources): object[] {
  const gravest = gravestFirst(cases.map((one) => ({ one, ...weighed(one, sources) })));
  return gravest.slice(0, LISTED_MAX).map(({ one }) => listed(one, sources));
}

function weighed({ place, baselinePlace }: ClassedCase, { outcomes, rows }: Sources) {
  const gatedCase = place === undefined ? undefined : outcomes.cases[place];
  const row = baselinePlace === undefined ? undefined : rows[baselinePlace]?.row;
  return {
    mustPass: gatedCase?.mustPass ?? row?.must_pass ?? false,
    weight: gatedCase?.weight ?? row?.weight ?? 0,
  };
}

function listed({ place, baselinePlace, why }: ClassedCase, { outcomes, accepted, rows }: Sources): object {
  const result = place === undefined ? undefined : outcomes.results[place];
  const row = baselinePlace === undefined ? undefined : rows[baselinePlace]?.row;
  const before = baselinePlace === undefined ? undefined : accepted.cases[baselinePlace];
  return {
    ...(row && result === undefined && ofRow(row)),
    ...(result && ofResult(result)),
    ...(before && { baseline_score: before.meanScore }),
    ...(why && { why }),
  };
}

const ofRow = ({ id, key, name, threshold, weight, must_pass }: CaseRow) => ({
  case_id: id,
  key,
  case: name,
  threshold,
  weight,
  must_pass,
});

function ofResult(result: ShownOutcomes['results'][number]) {
  const { case_id, key, case_name, score, threshold, weight, must_pass, reason } = result;
  return { case_id, key, case: case_name, score, threshold, weight: weight ?? 0, must_pass, reason };
}
