import { wilson } from './confidence.ts';
import { type GatedCase, type Gating, hasVerdict, type TaggedCases } from './gating.ts';
import { type GateResult, NAMED_CASES_MAX, type StatusLetter, shortened } from './kept.ts';
import { type RateVerdict, verdictOf } from './verdict.ts';

export function statusLetter({ status, dependsOnErrored }: RateVerdict): StatusLetter {
  if (status === 'cleared') return 'p';
  return dependsOnErrored ? 'i' : 'f';
}

/** The gates beside `pass_rate`, in the order in which they are answered. */
export function gateResults(gating: Gating, verdict: RateVerdict): GateResult[] {
  return [...judgedGate(gating), ...lowerGate(gating, verdict), ...mustPassGate(gating), ...tagGates(gating)];
}

const countJudged = (cases: readonly GatedCase[]): number => cases.filter(hasVerdict).length;

function judgedGate({ cases, bar }: Gating): GateResult[] {
  const required = bar.gates.min_judged_cases;
  if (required === undefined) return [];
  const judged = countJudged(cases);
  return [['judged', judged >= required ? 'p' : 'i', judged, required]];
}

function lowerGate(gating: Gating, verdict: RateVerdict): GateResult[] {
  const required = gating.bar.gates.min_lower_bound;
  if (required === undefined) return [];
  const holds = ({ pass_rate }: RateVerdict) => wilson(pass_rate, gating.effectiveCases).lower >= required;
  const status = holds(verdict) ? 'p' : holds(withErroredPassed(gating, verdict)) ? 'i' : 'f';
  return [['lower', status, required]];
}

function withErroredPassed({ cases, bar }: Gating, verdict: RateVerdict): RateVerdict {
  if (verdict.errored_cases === 0) return verdict;
  const passed = cases.map((one) => (one.errored ? { ...one, errored: false, passed: true } : one));
  return verdictOf(passed, bar.passThreshold);
}

/** Names cases that failed or are missing before those that could not be judged, each heaviest first. */
function mustPassGate({ heaviestFirst }: Gating): GateResult[] {
  const mustPass = heaviestFirst.filter((one) => one.mustPass);
  if (mustPass.length === 0) return [];
  const open = mustPass.filter(({ passed }) => !passed);
  const [errored, failed] = [open.filter((one) => one.errored), open.filter((one) => !one.errored)];
  const status = failed.length > 0 ? 'f' : open.length > 0 ? 'i' : 'p';
  const named = [...failed, ...errored].slice(0, NAMED_CASES_MAX);
  return [['must', status, open.length, ...named.map(({ key }) => shortened(key))]];
}

function tagGates({ tagged }: Gating): GateResult[] {
  return tagged.map(tagGate);
}

/** A gate that checks nothing must not clear. One that fails is failed, however little was judged. */
function tagGate({ gate, cases }: TaggedCases): GateResult {
  const { tag, pass_threshold: required, min_judged_cases: minJudged } = gate;
  if (cases.length === 0) return ['tag', 'i', tag, 0, required, 0, minJudged];
  const verdict = verdictOf(cases, required);
  const judged = countJudged(cases);
  const status = statusLetter(verdict);
  const isShort = judged < minJudged && status !== 'f';
  return ['tag', isShort ? 'i' : status, tag, verdict.pass_rate, required, judged, minJudged];
}
