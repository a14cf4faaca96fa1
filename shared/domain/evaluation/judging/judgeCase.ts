import type { ProviderValue } from '../../../contracts/base/providers.ts';
import { judgeQuestionOf, withoutReasoning } from '../../../scoring/engine/engine.ts';
import { canonicalProvider, type Provider } from '../../byok/providers.ts';
import type { Candidate } from '../../runs/outputs/candidate.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import type { CallCheck, Slotted, SlottedCall } from '../slots/ports.ts';
import { type AnyOutcome, type JudgedOnce, KEY_MISSING, Votes } from './castVotes.ts';
import type { Keyring, OpenKey } from './keyring.ts';
import type { Judge, JudgeDeps, JudgeErrorCode, JudgeOutcome, JudgeRequest } from './ports.ts';

/** How many keys are tried for one case: each may be revoked while the case is judged. */
const KEYS_MAX = 3;

/** Errors that another key may not have: their reason names whose key was sent. */
const OF_KEY: ReadonlySet<JudgeErrorCode> = new Set([
  'BYOK_KEY_REJECTED',
  'JUDGE_NO_CREDIT',
  'JUDGE_RATE_LIMITED',
  'MODEL_NOT_CONFIGURED',
]);

const namingKey = (outcome: JudgeOutcome, { owner }: OpenKey): JudgeOutcome =>
  outcome.kind === 'error' && OF_KEY.has(outcome.code)
    ? { ...outcome, reason: `${outcome.reason} (with the ${owner}'s key)` }
    : outcome;

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

/**
 * Judges one output, by several votes where the scorer wants them. An outcome without a verdict is an error of the scorer,
 * never a pass.
 */
export async function judgeCase(
  deps: JudgeCaseDeps,
  { planned, candidate, countCall, isRunLong }: CaseToJudge,
): Promise<JudgedOnce> {
  const startedMs = deps.now();
  const { provider, request } = questionAbout(planned, candidate);
  const votes = new Votes(planned, isRunLong);
  do votes.add(await askWithLiveKey(deps, provider, request, countCall));
  while (votes.counted === 'ask');
  return votes.result(Math.round(deps.now() - startedMs));
}

/** What the judge is shown. */
export function questionAbout(planned: PlannedCase, candidate: Candidate) {
  const question = planned.scorer && judgeQuestionOf(planned.scorer);
  if (!question) throw new Error(`No model judges case ${planned.id}`);
  const { ignoresReasoning, provider, model, rubric, scale } = question;
  const request = {
    model,
    rubric,
    scale,
    provider: canonicalProvider(provider),
    candidate: ignoresReasoning ? { ...candidate, output: withoutReasoning(candidate.output) } : candidate,
    caseInput: planned.input,
    expected: planned.expected,
    dualSided: planned.scorer?.dual_sided ?? false,
  };
  return { provider, request };
}

/** Once a key is revoked, no further call begins with it. Another key of the provider takes its place, if there is one. */
async function askWithLiveKey(
  deps: JudgeCaseDeps,
  provider: ProviderValue,
  request: Omit<JudgeRequest, 'apiKey'>,
  countCall: CallCheck,
): Promise<AnyOutcome> {
  for (let tried = 0; tried < KEYS_MAX; tried++) {
    const key = await deps.keyring(provider);
    if (key === undefined) return KEY_MISSING;
    if ('kind' in key) return key;
    const keyStillLives: CallCheck = async () => ((await key.isRevoked()) ? 'key_revoked' : undefined);
    const beforeCall = [countCall, keyStillLives];
    const outcome = await deps.judge.judge(
      { ...request, apiKey: key.secret },
      { ...deps, withSlot: (call) => deps.withSlot(request.provider, { beforeCall, call }) },
    );
    if (outcome.kind !== 'not_judged' || outcome.why !== 'key_revoked') return namingKey(outcome, key);
  }
  return KEY_MISSING;
}
