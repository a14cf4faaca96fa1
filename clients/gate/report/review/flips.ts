import type { Report, ReportedResult } from '../types.ts';

/** Keys of cases that would have to pass for the run to be cleared, as the service names them. */
export function clearingCases({ run, results }: Report): readonly string[] {
  const keys = new Map(results.map(({ case_id, key }) => [case_id, key]));
  return (run.verdict?.flips?.case_ids ?? []).map((id) => keys.get(id) ?? id);
}

/**
 * Keys of cases by whose failure the run would be aborted: as many as the service says, the heaviest of a gate that would
 * shut. None where the results do not prove that.
 */
export function abortingCases({ run, results, isComplete }: Report): readonly string[] {
  const { gates = [], flips } = run.verdict ?? {};
  if (!flips || !isComplete) return [];
  const gating = results.filter(({ advisory }) => !advisory);
  const sets = gates.map(({ gate, required }) => {
    if (gate === 'must_pass') return gating.filter(({ must_pass }) => must_pass === true);
    if (gate === 'pass_rate') return shutting(gating, required, flips.cases);
    if (!gate.startsWith('tag:')) return [];
    const tagged = gating.filter(({ tags = [] }) => tags.includes(gate.slice('tag:'.length)));
    return shutting(tagged, required, flips.cases);
  });
  const enough = sets.find(({ length }) => length >= flips.cases) ?? [];
  return enough.slice(0, flips.cases).map(({ key }) => key);
}

/** Shares that are closer to a bar than this may reach it: the service is exact. */
const CLOSE = 1e-9;

/** The heaviest passed cases, if the others do not reach the share without them. */
function shutting(cases: readonly ReportedResult[], share: number, count: number): readonly ReportedResult[] {
  const areEqual = cases.every(({ weight }) => !weight);
  const weightOf = ({ weight }: ReportedResult): number => (areEqual ? 1 : (weight ?? 0));
  const sum = (some: readonly ReportedResult[]): number =>
    some.reduce((all, result) => all + weightOf(result), 0);
  const passed = cases
    .filter((result) => result.passed)
    .toSorted((one, other) => weightOf(other) - weightOf(one));
  const [failing, rest] = [passed.slice(0, count), passed.slice(count)];
  return sum(rest) < (share - CLOSE) * sum(cases) ? failing : [];
}
