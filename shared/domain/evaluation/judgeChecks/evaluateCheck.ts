import type { CheckedJudge, WrongAnswer } from '../../../contracts/judgeChecks.ts';
import { asSha256 } from '../../../scoring/digest/documents.ts';
import { judgeQuestionOf } from '../../../scoring/engine/engine.ts';
import { kappaOf, lowerOf } from '../../../scoring/judging/agreement.ts';
import type { CaseResult } from '../../../scoring/kit/types.ts';
import { distinctModels } from '../../../scoring/verdict/baseline/baseline.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import { AppError } from '../../errors.ts';
import type { CheckStore } from '../../judgeChecks/ports.ts';
import type { WorkMessage } from '../../messages.ts';
import { answeredModels } from '../../runs/results/caseResults.ts';
import { type AtOneMoment, revisionsOf } from '../../suites/chains/atOneMoment.ts';
import type { RunScorer } from '../../suites/chains/plannedCase.ts';
import { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import { digestOfScorer } from '../../suites/digests/suiteDigester.ts';
import type { ProjectReader, SuiteReader } from '../../suites/ports.ts';
import { headsOf } from '../../suites/resolveSuite.ts';
import { timestamp } from '../../time.ts';
import { atOnce } from '../atOnce.ts';
import type { EvaluateDeps } from '../deps.ts';
import { judgeCase } from '../judging/judgeCase.ts';
import { createKeyring, type Keyring } from '../judging/keyring.ts';
import { CALLS_PER_CASE_MAX, CHUNK_TAKES_CALLS_MS, SLOTS_MAX } from '../limits.ts';
import type { CallCheck } from '../slots/ports.ts';
import { type Question, Questions } from './questions.ts';

export interface CheckDeps {
  readonly checks: CheckStore;
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly atOneMoment: AtOneMoment;
}
type Deps = EvaluateDeps & CheckDeps;
type CheckMessage = Extract<WorkMessage, { kind: 'judge_check' }>;

const WRONG_MAX = 50;
const REASON_LENGTH_MAX = 300;
const NO_SLOT_PAUSE_MS = 1_000;

/** Asks the judges of a suite, as it is now, as a run asks them. A repetition begins anew, and ends the check once. */
export async function evaluateCheck(deps: Deps, message: CheckMessage): Promise<void> {
  const { checks, now } = deps;
  const { org_id: orgId, suite_id: id, check_id } = message;
  const suite = { orgId, id };
  const check = await checks.find(suite);
  if (check?.check_id !== check_id || check.status !== 'pending') return;
  const present = await presentSuite(deps, suite);
  if (present === undefined) return checks.fail(suite, check_id);
  const { suiteRevision, projectId } = present;
  const work = { orgId, keyring: createKeyring(deps, { orgId, projectId }), startedAtMs: now() };
  const questions = new Questions(suiteRevision);
  const judged: JudgedAnswer[] = [];
  for await (const part of questions.parts()) {
    const answers: JudgedAnswer[] = [];
    await atOnce(2 * SLOTS_MAX, [...part.entries()], async ([index, question]) => {
      answers[index] = judgedAnswer(question, await judge(deps, work, question));
    });
    judged.push(...answers);
  }
  const keys = new Map(
    [...(await suiteRevision.scorerRows())].map(([scorerId, { row }]) => [scorerId, row.key]),
  );
  const judges: CheckedJudge[] = [];
  for (const [scorerId, answers] of Map.groupBy(judged, ({ scorer }) => scorer.id)) {
    judges.push(await checkedJudge(deps, work.keyring, keys.get(scorerId) ?? '', answers));
  }
  await checks.end(suite, check_id, {
    ended_at: timestamp(now()),
    judges,
    thresholds: thresholdsOf(judged),
    left_out: questions.leftOut,
    wrong: wrongOf(judged),
  });
}

/** Undefined where it is gone. */
async function presentSuite(
  deps: Deps,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<{ readonly suiteRevision: SuiteRevision; readonly projectId: string } | undefined> {
  const stored = await deps.suites.find(orgId, id);
  if (stored === undefined) return undefined;
  try {
    const { head, project } = await deps.atOneMoment(orgId, () => headsOf(deps, { orgId }, stored));
    const revisions = revisionsOf({ head, project });
    const suiteRevision = await SuiteRevision.read(deps.chains, { orgId, suite: head, project, revisions });
    return { suiteRevision, projectId: project.id };
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

interface Work {
  readonly orgId: string;
  readonly keyring: Keyring;
  readonly startedAtMs: number;
}

/** One that gets no slot is asked about again while there is time. After that no call begins, and it is an error. */
async function judge(deps: Deps, { orgId, keyring, startedAtMs }: Work, question: Question) {
  const isOver = () => deps.now() - startedAtMs >= CHUNK_TAKES_CALLS_MS;
  const judging = {
    ...deps,
    keyring,
    withSlot: (async (provider, call) =>
      isOver()
        ? { kind: 'not_made', why: 'no_slot' }
        : deps.withSlot(orgId, provider, call)) satisfies Parameters<typeof judgeCase>[0]['withSlot'],
  };
  const { planned, answer } = question;
  const callsMax = CALLS_PER_CASE_MAX * ((planned.scorer && judgeQuestionOf(planned.scorer)?.votes) ?? 1);
  let calls = 0;
  const caseToJudge = {
    planned,
    candidate: { output: answer, input: {} },
    countCall: (async () => (calls++ < callsMax ? undefined : 'calls_exhausted')) satisfies CallCheck,
    isRunLong: false,
  };
  for (;;) {
    const { result, gotNoSlot } = await judgeCase(judging, caseToJudge);
    if (!gotNoSlot || isOver()) return result;
    await deps.sleep(NO_SLOT_PAUSE_MS);
  }
}

/** Without the texts of its case. */
interface JudgedAnswer extends Pick<Question, 'kind'> {
  readonly scorer: RunScorer;
  readonly caseKey: string;
  readonly caseId: string;
  readonly threshold: number;
  readonly result: CaseResult;
}

function judgedAnswer({ planned, kind }: Question, result: CaseResult): JudgedAnswer {
  const { scorer, key: caseKey, id: caseId, threshold } = planned;
  if (scorer === null) throw new Error(`No model judges case ${planned.id}`);
  return { scorer, caseKey, caseId, threshold, kind, result };
}

const thresholdsOf = (judged: readonly JudgedAnswer[]): Record<string, number> =>
  Object.fromEntries(
    judged.filter(({ kind }) => kind === 'fail').map(({ caseId, threshold }) => [caseId, threshold]),
  );

/** What passed though it had to fail, and an answer that has to pass and did not. An error is neither. */
const isWrong = ({ kind, result: { passed, errored } }: JudgedAnswer): boolean =>
  errored || passed !== (kind === 'pass');

const GRAVEST_FIRST: readonly Question['kind'][] = [
  'fail',
  'injection',
  'opener',
  'refusal',
  'empty',
  'pass',
];

function wrongOf(judged: readonly JudgedAnswer[]): WrongAnswer[] {
  const wrong = judged.filter(isWrong);
  return GRAVEST_FIRST.flatMap((kind) => wrong.filter((one) => one.kind === kind))
    .slice(0, WRONG_MAX)
    .map(({ caseKey, kind, result: { score, reason } }) => ({
      case: caseKey,
      kind,
      score,
      reason: reason.slice(0, REASON_LENGTH_MAX).toWellFormed(),
    }));
}

/** `answers`: at least one, all by the scorer with this key. */
async function checkedJudge(
  deps: Deps,
  keyring: Keyring,
  key: string,
  answers: readonly JudgedAnswer[],
): Promise<CheckedJudge> {
  const { scorer } = answers[0] as JudgedAnswer;
  const models = distinctModels(answers.flatMap(({ result }) => answeredModels(result.scorer_output)));
  const answersTo = (kind: Question['kind']) => answers.filter((one) => one.kind === kind);
  const right = (some: readonly JudgedAnswer[]): number => some.filter((one) => !isWrong(one)).length;
  const errored = (some: readonly JudgedAnswer[]): number =>
    some.filter(({ result }) => result.errored).length;
  const [fail, pass] = [answersTo('fail'), answersTo('pass')];
  const [caught, accepted] = [right(fail), right(pass)];
  const fixed = answers.filter(({ kind }) => kind !== 'fail' && kind !== 'pass');
  return {
    scorer: key,
    scorer_digest: asSha256(digestOfScorer(scorer, deps.nameJudge)),
    answered_models: models,
    retires_on: await retirementOf(deps, keyring, scorer, models),
    fail: { sent: fail.length, caught, errored: errored(fail), lower: lowerOf(caught, fail.length) },
    pass: { sent: pass.length, accepted, errored: errored(pass), lower: lowerOf(accepted, pass.length) },
    kappa: kappaOf({
      accepted,
      rejected: pass.length - accepted,
      caught,
      missed: fail.length - caught,
    }),
    fixed: { sent: fixed.length, failed: right(fixed) },
  };
}

/** The first day on which one of its models is shut down, as far as the provider says it. */
async function retirementOf(
  { judge: { retirements }, nameJudge }: Deps,
  keyring: Keyring,
  scorer: RunScorer,
  answered: readonly (string | null)[],
): Promise<string | null> {
  const question = judgeQuestionOf(scorer);
  const key = question && (await keyring(question.provider).catch(() => undefined));
  if (question === undefined || key === undefined || 'kind' in key) return null;
  const days = await retirements(canonicalProvider(question.provider), key.secret, question.model);
  const named = nameJudge(question.provider, question.model).model ?? null;
  return [named, ...answered].flatMap((model) => days.get(model ?? '') ?? []).toSorted()[0] ?? null;
}
