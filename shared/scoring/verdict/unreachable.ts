import type { BarWarning } from '../../contracts/gates.ts';
import { verdictDetail } from './detail.ts';
import { foldVerdict } from './foldVerdict.ts';
import type { GateAnswer } from './gates/gate.ts';
import { isRelative } from './gates/registry.ts';
import type { GatedCase, GateSettings } from './gating.ts';
import type { GateResult } from './kept.ts';

/** An active case as far as the gates count it. */
export type CountedCase = Pick<GatedCase, 'weight' | 'tags' | 'advisory'> & { readonly isJudged: boolean };

const NOTHING_ACTIVE = 'has no active case, and a gate that checks nothing does not clear: add one';
const ALL_ADVISORY =
  'has advisory cases only, and a gate that checks nothing does not clear: end the advisory of one';

const code = 'GATE_CANNOT_PASS';

/** The gates that no output passes, however good: those that do not clear a run in which every case passes. */
export function unreachableGates(active: readonly CountedCase[], settings: GateSettings): BarWarning[] {
  if (active.every(({ advisory }) => advisory)) {
    return [{ gate: 'pass_rate', code, message: active.length === 0 ? NOTHING_ACTIVE : ALL_ADVISORY }];
  }
  const verdict = foldVerdict(active.map(passedCase), settings);
  if (verdict.status === 'cleared') return [];
  // What passes beside a baseline depends on the baseline, and beside judges on their check.
  const hasJudge = active.some(({ isJudged, advisory }) => isJudged && !advisory);
  const isOfRuns = (result: GateResult) => isRelative(result) || (hasJudge && result[0] === 'judges');
  const kept = { ...verdict.kept, gates: verdict.kept.gates.filter((result) => !isOfRuns(result)) };
  return verdictDetail(verdict, settings.passThreshold, kept)
    .gates.filter(({ status }) => status !== 'passed')
    .map((gate) => ({ gate: gate.gate, code, message: `no output passes it: ${lackOf(gate, settings)}` }));
}

const passedCase = ({ weight, tags, advisory }: CountedCase): GatedCase => ({
  id: '',
  key: '',
  weight,
  tags,
  advisory,
  passed: true,
  errored: false,
  missing: false,
  mustPass: false,
});

/** Where every case passes, those that count all have a verdict. */
function lackOf(
  { gate, observed, required, judged_cases, reason = '' }: GateAnswer,
  { gates }: GateSettings,
): string {
  if (gate === 'min_judged_cases') return tooFew(observed ?? 0, required);
  if (judged_cases === undefined) return reason;
  if (judged_cases === 0) return 'no case that counts has the tag';
  const tagGate = gates.tags?.find(({ tag }) => gate === `tag:${tag}`);
  return tooFew(judged_cases, tagGate?.min_judged_cases ?? 1, ' with the tag');
}

const tooFew = (count: number, needed: number, which = ''): string =>
  `${count === 1 ? `1 case${which} counts` : `${count} cases${which} count`}, and it takes ${needed}`;
