import type { VerdictDetail } from '../../contracts/gates.ts';
import type { Verdict } from '../../contracts/runs.ts';
import { CONFIDENCE_LEVEL, wilson } from './confidence.ts';
import { type GateAnswer, statusOf } from './gates/gate.ts';
import { gates as registered } from './gates/registry.ts';
import type { KeptVerdict } from './kept.ts';
import { restoreName } from './shortNames.ts';

/** The `verdict` object of an answer, from a run as it is stored. */
export function verdictDetail(
  figures: Pick<Verdict, 'status' | 'pass_rate'>,
  passThreshold: number,
  kept: KeptVerdict,
): VerdictDetail {
  const interval = wilson(figures.pass_rate, kept.effectiveCases);
  const evidence = { ...interval, effectiveCases: kept.effectiveCases };
  const otherGates = kept.gates.flatMap(
    (result) => registered.find(({ kind }) => kind === result[0])?.answer(result, evidence) ?? [],
  );
  const gates = [rateGate(figures.pass_rate, passThreshold, kept), ...otherGates];
  const open = gates.filter(({ status }) => status !== 'passed');
  return {
    gates,
    decided_by: open.map(({ gate }) => gate),
    confidence: {
      level: CONFIDENCE_LEVEL,
      method: 'wilson',
      ...interval,
      effective_cases: kept.effectiveCases,
    },
    // A run that could not be evaluated to its end is aborted, whatever its gates say.
    flips: (open.length === 0) === (figures.status === 'cleared') ? flipsOf(figures, kept) : null,
  };
}

function flipsOf({ status }: Pick<Verdict, 'status'>, { flips }: KeptVerdict): VerdictDetail['flips'] {
  if (flips === null) return null;
  const [cases, exact, ...ids] = flips;
  const to = status === 'cleared' ? 'aborted' : 'cleared';
  return { to, cases, exact: exact === 1, case_ids: ids.map(restoreName) };
}

/** A pass rate is rounded so that it never crosses the threshold. */
function rateGate(observed: number, required: number, { gates }: KeptVerdict): GateAnswer {
  const isOpen = gates.some(([kind]) => kind === 'rate');
  const letter = observed >= required ? 'p' : isOpen ? 'i' : 'f';
  return { gate: 'pass_rate', ...statusOf(letter), observed, required };
}
