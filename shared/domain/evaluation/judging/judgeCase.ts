import type { ProviderValue } from '../../../contracts/base/providers.ts';
import { caseResult, judgeQuestionOf } from '../../../scoring/engine.ts';
import { VaultError } from '../../byok/ports.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import type { Candidate } from '../../runs/candidate.ts';
import type { PlannedCase, WeighedCase } from '../ports.ts';
import type { Judge, JudgeDeps, JudgeOutcome, JudgeRequest } from './judge.ts';
import type { Keyring } from './keyring.ts';

/** A key is revoked while its case is judged so often at most: each time there was another one. */
const KEYS_MAX = 3;

class KeyRevoked extends Error {}

/** A key that will never open is an error of its cases; one that may open later is worth another delivery. */
function unopened(error: unknown): JudgeOutcome {
  if (!(error instanceof VaultError) || error.retryable) throw error;
  const reason =
    'the stored key can no longer be opened: revoke it and add it again, then run the gate again';
  return { kind: 'error', code: 'BYOK_KEY_REJECTED', reason };
}

const KEY_MISSING = {
  kind: 'error',
  code: 'BYOK_KEY_MISSING',
  reason: 'no key of this provider is stored: add one with POST /v1/byok-keys, then run the gate again',
} as const;

/** What the judge says of one case; an outcome without a verdict is an error of the scorer, never a pass. */
export async function judgeCase(
  { judge, keyring }: { judge: Judge; keyring: Keyring },
  planned: PlannedCase,
  candidate: Candidate,
  deps: JudgeDeps,
): Promise<WeighedCase & { readonly code: string | undefined }> {
  const startedMs = deps.now();
  const question = planned.scorer && judgeQuestionOf(planned.scorer);
  if (!question) throw new Error(`Case ${planned.id} is not judged by a model`);
  const outcome = await askWithLiveKey(
    { judge, keyring },
    question.provider,
    {
      ...question,
      provider: canonicalProvider(question.provider),
      candidate,
      caseInput: planned.input,
      expected: planned.expected,
      dualSided: planned.scorer?.dual_sided ?? false,
    },
    deps,
  );
  return {
    ...caseResult(planned, asScored(outcome), Math.round(deps.now() - startedMs)),
    weight: planned.weight,
    code: outcome.kind === 'error' ? outcome.code : undefined,
  };
}

/** A key that was revoked begins no further call: another one of the provider takes its place, if there is one. */
async function askWithLiveKey(
  { judge, keyring }: { judge: Judge; keyring: Keyring },
  provider: ProviderValue,
  request: Omit<JudgeRequest, 'apiKey'>,
  deps: JudgeDeps,
): Promise<JudgeOutcome | typeof KEY_MISSING> {
  for (let tried = 0; tried < KEYS_MAX; tried++) {
    const key = await keyring(provider).catch(unopened);
    if (key === undefined) return KEY_MISSING;
    if ('kind' in key) return key;
    const withSlot: JudgeDeps['withSlot'] = (call) =>
      deps.withSlot(async () => {
        if (await key.isRevoked()) throw new KeyRevoked();
        return call();
      });
    try {
      return await judge.judge({ ...request, apiKey: key.secret.reveal() }, { ...deps, withSlot });
    } catch (error) {
      if (!(error instanceof KeyRevoked)) throw error;
    }
  }
  return KEY_MISSING;
}

function asScored(outcome: JudgeOutcome | typeof KEY_MISSING): Parameters<typeof caseResult>[1] {
  if (outcome.kind === 'error') {
    return { score: 0, reason: outcome.reason, output: { error: outcome.code }, errored: true };
  }
  const { score, precision, recall, reason, rawResponse, usage } = outcome;
  const precisionRecall = precision === undefined || recall === undefined ? undefined : { precision, recall };
  return {
    score,
    reason,
    output: { raw_response: rawResponse, usage, ...precisionRecall },
    errored: false,
    ...(precisionRecall && { precisionRecall }),
  };
}
