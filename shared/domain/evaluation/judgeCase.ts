import type { ProviderValue } from '../../contracts/providers.ts';
import { caseResult } from '../../scoring/engine.ts';
import { noteUse, openKey, resolveKey } from '../byok/keys.ts';
import { type ByokKeyStore, type Vault, VaultError } from '../byok/ports.ts';
import { canonicalProvider } from '../byok/providers.ts';
import { Secret } from '../byok/secret.ts';
import type { Judge, JudgeDeps, JudgeOutcome } from './judge.ts';
import type { Payload, PlannedCase, WeighedCase } from './ports.ts';

/** The config of a judge's scorer, as it was checked when it was written. */
interface JudgeConfig {
  readonly rubric: string;
  readonly model?: string;
  readonly _provider: ProviderValue;
  readonly scale?: readonly unknown[];
}

export interface JudgeKeys {
  readonly byokKeys: ByokKeyStore;
  readonly vault: Pick<Vault, 'decrypt'>;
  readonly now: () => number;
}

/** Finds and opens each provider's key once; undefined where an organisation has none. */
export function createKeyring(deps: JudgeKeys, orgId: string) {
  const opened = new Map<string, Promise<Secret | undefined>>();
  const open = async (provider: ProviderValue): Promise<Secret | undefined> => {
    const key = await resolveKey(deps, orgId, provider);
    if (key === undefined) return undefined;
    const secret = await openKey(deps, key);
    // When a key was last used is for people to read: no run fails over it.
    await noteUse(deps, key).catch(() => undefined);
    return secret;
  };
  return (value: ProviderValue): Promise<Secret | undefined> => {
    const provider = canonicalProvider(value);
    const known = opened.get(provider) ?? open(provider);
    opened.set(provider, known);
    return known;
  };
}

export type Keyring = ReturnType<typeof createKeyring>;

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
  { output, input }: Payload,
  deps: JudgeDeps,
): Promise<WeighedCase & { readonly code: string | undefined }> {
  const startedMs = deps.now();
  const config = planned.scorer?.config as unknown as JudgeConfig;
  const apiKey = await keyring(config._provider).catch(unopened);
  const outcome: JudgeOutcome | typeof KEY_MISSING = !(apiKey instanceof Secret)
    ? (apiKey ?? KEY_MISSING)
    : await judge.judge(
        {
          provider: canonicalProvider(config._provider),
          apiKey: apiKey.reveal(),
          model: config.model,
          rubric: config.rubric,
          scale: config.scale,
          caseInput: planned.input,
          runInput: input,
          expected: planned.expected,
          output,
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

function asScored(outcome: JudgeOutcome | typeof KEY_MISSING): Parameters<typeof caseResult>[1] {
  if (outcome.kind === 'error') {
    return { score: 0, reason: outcome.reason, output: { error: outcome.code }, errored: true };
  }
  const { score, precision, recall, reason, rawResponse, usage } = outcome;
  const sides = precision === undefined || recall === undefined ? undefined : { precision, recall };
  return {
    score,
    reason,
    output: { raw_response: rawResponse, usage, ...sides },
    errored: false,
    ...(sides && { sides }),
  };
}
