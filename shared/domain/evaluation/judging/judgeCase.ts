import type { ProviderValue } from '../../../contracts/base/providers.ts';
import {
  BYOK_KEY_MISSING,
  caseResult,
  erroredOutcome,
  failedByError,
  judgeError,
  judgeQuestionOf,
  withoutReasoning,
} from '../../../scoring/engine/engine.ts';
import type { CaseResult } from '../../../scoring/kit/types.ts';
import { VaultError } from '../../byok/ports.ts';
import { canonicalProvider, type Provider } from '../../byok/providers.ts';
import type { Candidate } from '../../runs/outputs/candidate.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import type { CallCheck, Slotted, SlottedCall } from '../slots/ports.ts';
import { faultAtFirst } from './faults.ts';
import type { Keyring } from './keyring.ts';
import type { Judge, JudgeDeps, JudgeError, JudgeOutcome, JudgeRequest, NotJudged } from './ports.ts';

/** How many keys are tried for one case: each may be revoked while the case is judged. */
const KEYS_MAX = 3;

/** A key that can never be opened is an error of its cases. Other failures of the vault are worth another delivery. */
function unopened(error: unknown): JudgeError {
  if (!(error instanceof VaultError) || error.retryable) throw error;
  const reason =
    'the stored key can no longer be opened: revoke it and add it again, then run the gate again';
  return { kind: 'error', code: 'BYOK_KEY_REJECTED', reason };
}

const INTERRUPTED = judgeError(
  'JUDGE_UNAVAILABLE',
  'the evaluator was interrupted too often during calls of the judge: run the gate again',
  'candidate',
);

const KEY_MISSING = {
  kind: 'key_missing',
  ...BYOK_KEY_MISSING,
  reason:
    'no key of this provider is stored: add one (POST /v1/byok-keys, evalgate byok add), then run the gate again',
} as const;

export interface JudgeCaseDeps extends Omit<JudgeDeps, 'withSlot'> {
  readonly judge: Judge;
  readonly keyring: Keyring;
  readonly withSlot: <T>(provider: Provider, call: SlottedCall<T>) => Promise<Slotted<T>>;
}

export interface CaseToJudge {
  readonly planned: PlannedCase;
  readonly candidate: Candidate;
  readonly countCall: CallCheck;
  /** An output of the run may use up a provider's limit of tokens. */
  readonly isRunLong: boolean;
}

/** The result of one case. An outcome without a verdict is an error of the scorer, never a pass. */
export async function judgeCase(
  deps: JudgeCaseDeps,
  { planned, candidate, countCall, isRunLong }: CaseToJudge,
): Promise<{ readonly result: CaseResult; readonly gotNoSlot: boolean }> {
  const startedMs = deps.now();
  const question = planned.scorer && judgeQuestionOf(planned.scorer);
  if (!question) throw new Error(`No model judges case ${planned.id}`);
  const { ignoresReasoning, ...shown } = question;
  const request = {
    ...shown,
    provider: canonicalProvider(question.provider),
    candidate: ignoresReasoning ? { ...candidate, output: withoutReasoning(candidate.output) } : candidate,
    caseInput: planned.input,
    expected: planned.expected,
    dualSided: planned.scorer?.dual_sided ?? false,
  };
  const outcome = await askWithLiveKey(deps, question.provider, request, countCall);
  if (outcome.kind === 'not_judged') {
    return { result: failedByError(planned, INTERRUPTED), gotNoSlot: false };
  }
  const durationMs = Math.round(deps.now() - startedMs);
  return {
    result: caseResult(planned, asScored(outcome, isRunLong), durationMs),
    gotNoSlot: outcome.kind === 'error' && outcome.code === 'JUDGE_CONCURRENCY_EXCEEDED',
  };
}

/** Once a key is revoked, no further call begins with it. Another key of the provider takes its place, if there is one. */
async function askWithLiveKey(
  deps: JudgeCaseDeps,
  provider: ProviderValue,
  request: Omit<JudgeRequest, 'apiKey'>,
  countCall: CallCheck,
): Promise<JudgeOutcome | typeof KEY_MISSING> {
  for (let tried = 0; tried < KEYS_MAX; tried++) {
    const key = await deps.keyring(provider).catch(unopened);
    if (key === undefined) return KEY_MISSING;
    if ('kind' in key) return key;
    const keyStillLives: CallCheck = async () => ((await key.isRevoked()) ? 'key_revoked' : undefined);
    const beforeCall = [countCall, keyStillLives];
    const outcome = await deps.judge.judge(
      { ...request, apiKey: key.secret },
      { ...deps, withSlot: (call) => deps.withSlot(request.provider, { beforeCall, call }) },
    );
    if (outcome.kind !== 'not_judged' || outcome.why !== 'key_revoked') return outcome;
  }
  return KEY_MISSING;
}

/** By it readers know whether they can show what the judge received. */
const promptOf = ({ promptVersion }: { readonly promptVersion?: string | undefined }) =>
  promptVersion === undefined ? {} : { prompt_version: promptVersion };

function asScored(
  outcome: Exclude<JudgeOutcome, NotJudged> | typeof KEY_MISSING,
  isRunLong: boolean,
): Parameters<typeof caseResult>[1] {
  if (outcome.kind === 'key_missing') return erroredOutcome(outcome);
  if (outcome.kind === 'error') {
    const fault = faultAtFirst(outcome, isRunLong);
    const errored = erroredOutcome(judgeError(outcome.code, outcome.reason, fault));
    return { ...errored, output: { ...errored.output, ...outcome.said, ...promptOf(outcome) } };
  }
  const { score, precision, recall, reason, rawResponse, answeredModel, usage } = outcome;
  const precisionRecall = precision === undefined || recall === undefined ? undefined : { precision, recall };
  return {
    score,
    reason,
    output: {
      raw_response: rawResponse,
      answered_model: answeredModel ?? null,
      usage,
      ...promptOf(outcome),
      ...precisionRecall,
    },
    errored: false,
    ...(precisionRecall && { precisionRecall }),
  };
}
