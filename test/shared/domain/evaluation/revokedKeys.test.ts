import { expect, test } from '@jest/globals';
import { Secret } from '../../../../shared/domain/byok/secret.ts';
import type { Judge, JudgeDeps } from '../../../../shared/domain/evaluation/judging/judge.ts';
import { judgeCase } from '../../../../shared/domain/evaluation/judging/judgeCase.ts';
import type { Keyring } from '../../../../shared/domain/evaluation/judging/keyring.ts';
import type { PlannedCase } from '../../../../shared/domain/evaluation/ports.ts';

const planned = {
  id: '0f0e0d0c-0b0a-4009-8807-060504030201',
  name: 'Judged',
  input: {},
  expected: null,
  threshold: 0.5,
  weight: 1,
  scorer: { type: 'llm_judge', config: { rubric: 'Polite?', _provider: 'openai' }, dual_sided: false },
} as unknown as PlannedCase;

/** Asks once for each key, and says which one it asked with. */
function asked() {
  const keys: string[] = [];
  const judge = {
    judge: async ({ apiKey }, { withSlot }) =>
      withSlot(async () => {
        keys.push(apiKey);
        return {
          kind: 'verdict',
          score: 1,
          reason: 'polite',
          rawResponse: {},
          usage: { input_tokens: 1, output_tokens: 1 },
        };
      }),
  } as Judge;
  return { keys, judge };
}

const deps = { now: Date.now, withSlot: <T>(call: () => Promise<T>) => call() } as unknown as JudgeDeps;

function keyringOf(keys: readonly { name: string; revoked: boolean }[]): Keyring {
  const left = [...keys];
  return async () => {
    const key = left.shift();
    return key && { secret: new Secret(key.name), isRevoked: async () => key.revoked };
  };
}

const candidate = { output: 'Good morning', input: {} };

test('no call begins with a key that was revoked: the next key of the provider is used', async () => {
  const { keys, judge } = asked();
  const keyring = keyringOf([
    { name: 'sk-revoked', revoked: true },
    { name: 'sk-left', revoked: false },
  ]);
  const result = await judgeCase({ judge, keyring }, planned, candidate, deps);
  expect(result).toMatchObject({ passed: true, errored: false });
  expect(keys).toEqual(['sk-left']);
});

test('a case whose last key was revoked ends as BYOK_KEY_MISSING, never as a pass', async () => {
  const { keys, judge } = asked();
  const keyring = keyringOf([{ name: 'sk-revoked', revoked: true }]);
  const result = await judgeCase({ judge, keyring }, planned, candidate, deps);
  expect(result).toMatchObject({
    passed: false,
    errored: true,
    scorer_output: { error: 'BYOK_KEY_MISSING' },
  });
  expect(keys).toEqual([]);
});
