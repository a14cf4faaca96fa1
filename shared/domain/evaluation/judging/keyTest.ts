import type { ProviderValue } from '../../../contracts/base/providers.ts';
import { findByokKey, openKey } from '../../byok/keys.ts';
import { type ByokKeyStore, VaultError } from '../../byok/ports.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import { AppError, invalidField } from '../../errors.ts';
import { REQUEST_WAIT_MS_MAX } from '../../limits.ts';
import type { WorkMessage, WorkQueue } from '../../messages.ts';
import type { Ambient } from '../../ports.ts';
import type { Principal } from '../../principal.ts';
import type { JudgeKeys } from './keyring.ts';
import type { Judge, JudgeError, KeyTest, KeyTestStore } from './ports.ts';

const LOOK_MS = 200;

interface AskDeps extends Ambient {
  readonly byokKeys: ByokKeyStore;
  readonly keyTests: KeyTestStore;
  readonly queue: WorkQueue;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Asks the evaluator, the only function that may decrypt, to test the key at its provider. */
export async function testByokKey(
  deps: AskDeps,
  principal: Principal,
  { keyId, model }: { keyId: string; model: string | undefined },
): Promise<{ valid: boolean; provider: ProviderValue }> {
  const { byokKeys, keyTests, queue, now, newId, sleep } = deps;
  const { orgId } = principal;
  const key = await findByokKey({ byokKeys }, principal, keyId);
  const testId = newId();
  await queue.send([{ kind: 'key_test', org_id: orgId, key_id: keyId, test_id: testId, model }]);
  for (const until = now() + REQUEST_WAIT_MS_MAX; now() < until; ) {
    await sleep(LOOK_MS);
    const answer = await keyTests.find(orgId, testId);
    if (answer?.kind === 'tested') return { valid: answer.valid, provider: key.provider };
    if (answer?.kind === 'error') throw notTestable(answer, model) ?? untested(answer.reason, answer.code);
  }
  throw untested('the provider did not answer in time', 'JUDGE_TIMEOUT');
}

/** The errors that the caller can correct: Azure's `model` names the endpoint. */
function notTestable({ code, reason }: JudgeError, model: string | undefined): AppError | undefined {
  if (code !== 'MODEL_NOT_CONFIGURED' && code !== 'ENDPOINT_NOT_ALLOWED') return undefined;
  const why = model === undefined ? `${NEEDED}: ${reason}` : reason;
  return invalidField('model', why);
}

const NEEDED =
  'is needed to test this key, as {"model": "https://<resource>.openai.azure.com|<deployment_name>"}';

/** Without an answer of the provider the key is neither valid nor invalid. */
const untested = (reason: string, cause: string): AppError =>
  new AppError('INTERNAL_ERROR', `The key could not be tested: ${reason}. Try again.`, { cause });

/** One that can never be opened: the reason is the vault's, which names what to bring back. */
function unopened(error: unknown): JudgeError {
  if (!(error instanceof VaultError) || error.retryable) throw error;
  return { kind: 'error', code: 'BYOK_KEY_REJECTED', reason: error.message };
}

type KeyTestMessage = Extract<WorkMessage, { kind: 'key_test' }>;

export async function answerKeyTest(
  deps: JudgeKeys & { keyTests: KeyTestStore; judge: Judge },
  { org_id: orgId, key_id: keyId, test_id: testId, model }: KeyTestMessage,
): Promise<void> {
  const key = await deps.byokKeys.sealed(orgId, keyId);
  const answer: KeyTest =
    key === undefined
      ? { kind: 'tested', valid: false }
      : await openKey(deps, key).then(
          (secret) => deps.judge.testKey(canonicalProvider(key.provider), secret, model),
          unopened,
        );
  await deps.keyTests.save(orgId, testId, answer);
}
