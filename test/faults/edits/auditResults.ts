import type { RunResult } from '../../../shared/contracts/results/results.ts';
import type { Run } from '../../../shared/contracts/runs.ts';
import { type ModelSample, modelSamples } from '../../shared/scoring/verdict/model.ts';
import { insist } from '../insist.ts';
import { askedOf, scoreOf } from '../provider.ts';
import type { SimulatedService } from '../simulatedService.ts';
import type { EndedRun, Expected } from './auditRun.ts';
import { auditTraced, auditTraceExcerpt, lacksTrace } from './auditTraced.ts';
import type { Bar, BarCase } from './bar.ts';
import { digestOf } from './canonical.ts';
import { isAdvisory, itemDigest, match } from './matching.ts';
import type { SentItem } from './sent.ts';

const DIGITS = 16;

type Shown = Pick<RunResult, 'passed' | 'score' | 'scorer_output'> & {
  readonly output_digest?: string | null;
};

/** Each case of the bar has one result, of what was sent for it. */
export function auditResults(service: SimulatedService, ended: EndedRun, bar: Bar, expected: Expected): void {
  const { name, results, run, sent } = ended;
  const ids = results.map(({ case_id }) => case_id);
  insist(new Set(ids).size === ids.length, `${name} has a case twice`);
  const byId = new Map(results.map((result) => [result.case_id, result]));
  insist(ids.length === bar.cases.length, `${name} has ${ids.length} results of ${bar.cases.length}`);
  const { byCase } = match(bar, sent);
  for (const one of bar.cases) {
    const result = byId.get(one.id);
    insist(result !== undefined, `${name} has no result of ${one.name}`);
    const at = `${name}, ${one.name}`;
    auditRules(at, one, result, run);
    auditSent(at, { one, result, items: byCase.get(one.id) ?? [], ended, service, expected });
  }
  auditErrors(service, ended, expected);
}

function auditRules(at: string, one: BarCase, result: RunResult, { created_at }: Run): void {
  const { key, weight, mustPass, tags, threshold } = one;
  const due = JSON.stringify([key, weight, mustPass, tags, threshold]);
  const stated = JSON.stringify([result.key, result.weight, result.must_pass, result.tags, result.threshold]);
  insist(stated === due, `${at}: it counted as ${stated}, and the bar says ${due}`);
  const createdMs = Date.parse(created_at);
  insist(result.advisory === isAdvisory(one, createdMs), `${at}: advisory is ${result.advisory}`);
}

interface Judged {
  readonly one: BarCase;
  readonly result: RunResult;
  readonly items: readonly SentItem[];
  readonly ended: EndedRun;
  readonly service: SimulatedService;
  readonly expected: Expected;
}

function auditSent(at: string, judged: Judged): void {
  const { one, result, items, ended } = judged;
  const { sent, audited } = ended;
  const isUnevaluated = audited.givesBack && result.errored;
  const isTraced = one.scorerId === ended.fixture.org.scorers.calls;
  const isMissing = items.every((item) => isTraced && lacksTrace(item));
  insist(isUnevaluated || result.missing === isMissing, `${at}: missing is ${result.missing}`);
  auditTraceExcerpt(at, result, `${audited.label} ${one.key}`);
  if (items.length === 0 || isUnevaluated) {
    insist(!result.passed, `${at}: it passed without an output`);
    return;
  }
  const digests = items.map((item) => itemDigest(item, sent.input));
  const [first = ''] = digests;
  const all = digests.length === 1 ? first : digestOf(digests.toSorted());
  // A run that could not be evaluated keeps verdicts of models, and does not read what they are of.
  const mayLack = (digest: unknown) => audited.givesBack && digest === null;
  const isOfSent = result.output_digest === all.slice(0, DIGITS) || mayLack(result.output_digest);
  insist(isOfSent, `${at}: it has the digest ${result.output_digest}`);
  const shown: readonly Shown[] = one.sampleCount === 1 ? [result] : (result.samples ?? []);
  insist(shown.length === items.length, `${at}: ${shown.length} samples were judged of ${items.length}`);
  const outcomes = shown.map((sample, index) => {
    if (one.sampleCount > 1) {
      const digest = digests[index]?.slice(0, DIGITS);
      const isSame = sample.output_digest === digest || mayLack(sample.output_digest);
      insist(isSame, `${at}: sample ${index} is another one`);
    }
    return auditSample(`${at}, sample ${index}`, sample, items[index] as SentItem, judged);
  });
  const folded = one.sampleCount === 1 ? outcomes[0] : modelSamples(outcomes, one);
  const stated = JSON.stringify([result.passed, result.errored, result.score]);
  const due = JSON.stringify([folded?.passed, folded?.errored, folded?.score]);
  insist(stated === due, `${at}: it is ${stated}, and its samples say ${due}`);
}

/** What one output came to. */
function auditSample(at: string, shown: Shown, item: SentItem, judged: Judged): ModelSample {
  const { one, ended, service, expected } = judged;
  const { scorers } = ended.fixture.org;
  const { error } = shown.scorer_output;
  const isUnevaluated = ended.audited.givesBack && error === 'EVALUATION_FAILED';
  if (one.scorerId === scorers.calls && !isUnevaluated) return auditTraced(at, shown, item, one);
  const outcome = { passed: shown.passed, errored: error !== undefined, score: shown.score };
  if (item.output === undefined && !isUnevaluated) {
    insist(error === 'OUTPUT_ERROR' && !shown.passed, `${at}: an error was sent, and it is ${error}`);
    return outcome;
  }
  const isJudged = one.scorerId === scorers.judge;
  insist(error === undefined || isJudged || isUnevaluated, `${at}: it ended in ${error}`);
  if (error !== undefined || item.output === undefined) {
    insist(!shown.passed, `${at}: it is errored, and passes`);
    return outcome;
  }
  const says = one.scorerId === scorers.says && item.output.includes('ok');
  const score = isJudged ? scoreOf(one.name, item.output) : Number(says);
  insist(shown.score === score && shown.passed === score >= one.threshold, `${at}: it scored ${shown.score}`);
  const calls = service.provider.calls.get(`${ended.audited.label}/${askedOf(one.name, item.output)}`) ?? 0;
  insist(!isJudged || calls > 0 || expected.hasOwnJudge === true, `${at}: it has a verdict that nobody gave`);
  insist(!expected.conclusive || calls < 2, `${at}: it was asked ${calls} times, and nothing failed`);
  return outcome;
}

/** `bars`: with the digest of the run. Whether outputs are kept is no part of it. */
export function auditExcerpts({ name, results }: EndedRun, bars: readonly Bar[]): void {
  const fits = ({ keepOutputs }: Bar) =>
    results.every((result) => {
      const isDue = keepOutputs === 'all' || (keepOutputs === 'failed' && !result.passed);
      // Beside an error only the trace is kept.
      const kept = result.output_excerpt ?? result.trace_excerpt;
      const isThere = kept !== undefined || result.excerpts_cut === true;
      // What decides such a result may be no output.
      const mayLack = result.errored || result.scorer_output.missing === true;
      return isDue ? isThere || mayLack : !isThere;
    });
  insist(bars.some(fits), `${name} keeps other excerpts than its suite says`);
}

/** An error names the cause of a missing verdict, which must have occurred. */
function auditErrors(
  { provider, shutFor, settings }: SimulatedService,
  { name, audited, run, results }: EndedRun,
  { conclusive = false }: Expected,
): void {
  const { orgId, givesBack } = audited;
  const shown = results.flatMap((result): readonly Shown[] => [result, ...(result.samples ?? [])]);
  const errors = shown.flatMap(({ scorer_output }) => scorer_output.error ?? []);
  insist(!conclusive || errors.length === 0, `${name} has errors, and nothing failed: ${errors}`);
  const isEvaluated = !errors.includes('EVALUATION_FAILED');
  insist(givesBack || isEvaluated, `${name} counts, and was not evaluated to its end`);
  const isRejected = errors.includes('BYOK_KEY_REJECTED');
  const mayBeRejected = shutFor.has(orgId) || provider.keys.rejectsOneOf(orgId);
  insist(!isRejected || mayBeRejected, `${name} says that a good key was rejected`);
  const heldForMs = Date.parse(run.created_at) - settings.skewMs - provider.keys.heldSinceMs(orgId);
  const isMissing = errors.includes('BYOK_KEY_MISSING');
  insist(!isMissing || !(heldForMs > 0), `${name} missed a key that was stored before it began`);
}
