import { expect, test } from '@jest/globals';
import { Secret } from '../../../../shared/domain/byok/secret.ts';
import { type JudgeCaseDeps, judgeCase } from '../../../../shared/domain/evaluation/judging/judgeCase.ts';
import type { Keyring } from '../../../../shared/domain/evaluation/judging/keyring.ts';
import type { Judge, JudgeVerdict } from '../../../../shared/domain/evaluation/judging/ports.ts';
import type { PlannedCase } from '../../../../shared/domain/suites/chains/plannedCase.ts';

const planned = {
  id: '0f0e0d0c-0b0a-4009-8807-060504030201',
  name: 'Judged',
  input: {},
  expected: null,
  threshold: 0.5,
  weight: 1,
  scorer: { type: 'llm_judge', config: { rubric: 'Polite?', _provider: 'openai' }, dual_sided: false },
} as unknown as PlannedCase;

const VERDICT: JudgeVerdict = {
  kind: 'verdict',
  score: 1,
  reason: 'polite',
  rawResponse: {},
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** Asks once for each key, and records which key it asked with. */
function asked() {
  const keys: string[] = [];
  const judge: Judge = {
    async judge({ apiKey }, { withSlot }) {
      const slotted = await withSlot(async () => keys.push(apiKey.reveal()));
      if (slotted.kind === 'made') return VERDICT;
      return slotted.why === 'no_slot'
        ? { kind: 'error', code: 'JUDGE_CONCURRENCY_EXCEEDED', reason: slotted.why }
        : { kind: 'not_judged', why: slotted.why };
    },
    testKey: async () => ({ kind: 'tested', valid: true }),
    retirements: async () => new Map(),
  };
  return { keys, judge };
}

/** Always has a free slot. */
const withSlot: JudgeCaseDeps['withSlot'] = async (_, { beforeCall, call }) => {
  for (const check of beforeCall) {
    const why = await check();
    if (why !== undefined) return { kind: 'not_made', why };
  }
  return { kind: 'made', value: await call() };
};

const depsWith = (judge: Judge, keyring: Keyring): JudgeCaseDeps => ({
  judge,
  keyring,
  withSlot,
  now: Date.now,
  sleep: async () => {},
  random: () => 0.5,
  newDelimiter: () => '0'.repeat(32),
});

function keyringOf(keys: readonly { name: string; revoked: boolean }[]): Keyring {
  const left = [...keys];
  return async () => {
    const key = left.shift();
    return key && { secret: new Secret(key.name), owner: 'project', isRevoked: async () => key.revoked };
  };
}

const candidate = { output: 'Good morning', input: {} };
const caseToJudge = { planned, candidate, countCall: async () => undefined, isRunLong: false };

test('no call begins with a key that was revoked: the next key of the provider is used', async () => {
  const { keys, judge } = asked();
  const keyring = keyringOf([
    { name: 'sk-revoked', revoked: true },
    { name: 'sk-left', revoked: false },
  ]);
  const { result } = await judgeCase(depsWith(judge, keyring), caseToJudge);
  expect(result).toMatchObject({ passed: true, errored: false });
  expect(keys).toEqual(['sk-left']);
});

test('a case whose last key was revoked ends as BYOK_KEY_MISSING, never as a pass', async () => {
  const { keys, judge } = asked();
  const keyring = keyringOf([{ name: 'sk-revoked', revoked: true }]);
  const { result } = await judgeCase(depsWith(judge, keyring), caseToJudge);
  expect(result).toMatchObject({
    passed: false,
    errored: true,
    scorer_output: { error: 'BYOK_KEY_MISSING' },
  });
  expect(keys).toEqual([]);
});

test('a case whose calls are used up ends with an error, and its key is not used', async () => {
  const { keys, judge } = asked();
  const deps = depsWith(judge, keyringOf([{ name: 'sk-left', revoked: false }]));
  const { result } = await judgeCase(deps, { ...caseToJudge, countCall: async () => 'calls_exhausted' });
  expect(result).toMatchObject({
    passed: false,
    errored: true,
    scorer_output: { error: 'JUDGE_UNAVAILABLE' },
  });
  expect(keys).toEqual([]);
});
