import type { GateStatus, VerdictDetail } from '../../contracts/gates.ts';
import type { Verdict } from '../../contracts/runs.ts';
import { CONFIDENCE_LEVEL, type Interval, wilson } from './confidence.ts';
import { type GateResult, type KeptVerdict, lengthened, type StatusLetter } from './kept.ts';

type Gate = VerdictDetail['gates'][number];

const STATUS = { p: 'passed', f: 'failed', i: 'inconclusive' } as const satisfies Record<
  StatusLetter,
  GateStatus
>;

/** The `verdict` object of an answer, from a run as it is stored. */
export function verdictDetail(
  figures: Pick<Verdict, 'status' | 'pass_rate'>,
  passThreshold: number,
  kept: KeptVerdict,
): VerdictDetail {
  const interval = wilson(figures.pass_rate, kept.effectiveCases);
  const others = kept.gates.map((result) => gateOf(result, interval)).filter((gate) => gate !== undefined);
  const gates = [rateGate(figures.pass_rate, passThreshold, kept), ...others];
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
  return { to, cases, exact: exact === 1, case_ids: ids.map(lengthened) };
}

/** A pass rate is rounded so that it never crosses the threshold. */
function rateGate(observed: number, required: number, { gates }: KeptVerdict): Gate {
  const isOpen = gates.some(([kind]) => kind === 'rate');
  const letter = observed >= required ? 'p' : isOpen ? 'i' : 'f';
  return { gate: 'pass_rate', ...statusOf(letter), observed, required };
}

const statusOf = (letter: StatusLetter): Pick<Gate, 'status' | 'reason'> => ({
  status: STATUS[letter],
  ...(letter === 'i' && { reason: 'it depends on cases that ended in an error' }),
});

function gateOf(result: GateResult, { lower }: Interval): Gate | undefined {
  switch (result[0]) {
    case 'rate':
      return undefined;
    case 'judged': {
      const [, letter, observed, required] = result;
      return {
        gate: 'min_judged_cases',
        status: STATUS[letter],
        observed,
        required,
        ...lack(observed, required),
      };
    }
    case 'lower': {
      const [, letter, required] = result;
      return { gate: 'min_lower_bound', ...statusOf(letter), observed: lower, required };
    }
    case 'must': {
      const [, letter, observed, ...keys] = result;
      const cases = keys.length > 0 && { cases: keys.map(lengthened) };
      return { gate: 'must_pass', ...statusOf(letter), observed, required: 0, ...cases };
    }
    case 'tag':
      return tagGate(result);
  }
}

function tagGate([, letter, tag, observed, required, judged, minJudged]: Extract<
  GateResult,
  readonly ['tag', ...unknown[]]
>): Gate {
  const figures = { observed, required, judged_cases: judged };
  return {
    gate: `tag:${tag}`,
    ...statusOf(letter),
    ...figures,
    ...(letter === 'i' && lack(judged, minJudged)),
  };
}

function lack(judged: number, needed: number): Pick<Gate, 'reason'> {
  if (judged >= needed) return {};
  const [cases, have] = [needed === 1 ? 'case' : 'cases', judged === 1 ? 'has' : 'have'];
  return { reason: `${judged} of ${needed} ${cases} needed ${have} a verdict` };
}
