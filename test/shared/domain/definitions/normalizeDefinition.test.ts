import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sentDefinitionSchema } from '../../../../shared/contracts/definitions.ts';
import {
  definitionOf,
  normalizeDefinition,
} from '../../../../shared/domain/definitions/normalizeDefinition.ts';
import { planOf } from '../../../../shared/domain/definitions/plan/plan.ts';
import type { CompleteDefinition } from '../../../../shared/domain/definitions/plan/types.ts';
import { renderDefinition } from '../../../../shared/domain/definitions/render.ts';
import { AppError } from '../../../../shared/domain/errors.ts';
import { openConfigChecks } from '../../../../shared/domain/suites/gates/configChecks.ts';
import { NOW } from '../../../clients/files/repository.ts';
import '../../../support/seed.ts';
import { anyCompleteSuite } from './completeSuites.ts';
import { aCase, aScorer, define } from './plan/model.ts';

const LATER = NOW + 7 * 86_400_000;

function normalize(sent: object, before: CompleteDefinition, nowMs = NOW) {
  const parsed = sentDefinitionSchema.parse({ version: 1, suite: 's', ...sent });
  const checkModel = (_: string, model: string) => (model === 'refused' ? 'is refused' : undefined);
  return normalizeDefinition(parsed, { before, checkConfig: openConfigChecks({ checkModel }), nowMs });
}

test('the answer about a suite changes nothing when it is sent back, also when an advisory has ended', async () => {
  await fc.assert(
    fc.asyncProperty(anyCompleteSuite, fc.constantFrom(NOW, LATER), async (whole, nowMs) => {
      const before = definitionOf(whole);
      const after = await normalize(renderDefinition(whole), before, nowMs);
      const plan = planOf(before, after, { prune: true, isFirst: false, nowMs, uses: new Map() });
      expect(plan).toEqual({ changes: [], weaker: [], affects: [] });
    }),
  );
});

test('a zero with a sign is the zero that is stored', async () => {
  const one = (input: object) => ({
    scorers: EQ,
    cases: [{ key: 'k', scorer: 'eq', input, expected: input }],
  });
  const before = await normalize(one({ a: 0 }), define([]));
  const { changes } = planOf(before, await normalize(one({ a: -0 }), before), {
    prune: true,
    isFirst: false,
    nowMs: NOW,
    uses: new Map(),
  });
  expect(changes).toEqual([]);
});

test('what it leaves out has the defaults of the API, and of the type of a scorer', async () => {
  const sent = {
    scorers: { has: { type: 'contains', config: { values: ['a'] } } },
    cases: [{ key: 'k', scorer: 'has', input: {} }],
  };
  const scorer = aScorer('has', {
    type: 'contains',
    config: { values: ['a'], mode: 'all' },
    dual_sided: false,
  });
  const expected = define([aCase('k', { scorer: 'has' })], {}, [scorer]);
  expect(await normalize(sent, define([]))).toEqual(expected);
});

const EQ = { eq: { type: 'exact_match', config: {} } };
const OLD_ID = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const NEW_ID = '1f0c61b8-3f6c-4d8e-9b0a-0a4f5b7c2d11';

async function issuesOf(sent: object, before = define([])): Promise<unknown> {
  const error = await normalize(sent, before).then(
    () => undefined,
    (why: unknown) => why,
  );
  if (!(error instanceof AppError)) throw error ?? new Error('nothing is refused');
  return error.details?.issues;
}

describe('is refused with its place', () => {
  const advisory = (days: number) => ({
    owner: 'Ada',
    reason: 'It is being revised.',
    expires_at: new Date(NOW + days * 86_400_000).toISOString(),
  });
  const one = (fields: object) => ({
    scorers: EQ,
    cases: [{ key: 'a', scorer: 'eq', input: {}, ...fields }],
  });
  const scorer = (fields: object) => ({ scorers: { x: { type: 'exact_match', config: {}, ...fields } } });
  test.each<[string, object, string, string]>([
    ['another suite', { suite: 'other' }, 'suite', 'must be "s"'],
    ['a scorer that is not in it', one({ scorer: 'missing' }), 'cases.0.scorer', 'names no scorer'],
    [
      'a key given twice',
      { ...one({}), cases: [...one({}).cases, ...one({}).cases] },
      'cases.1.key',
      'cases.0',
    ],
    ['a new key like an id', one({ key: NEW_ID }), 'cases.0.key', 'UUID'],
    ['such a key of a scorer', { scorers: { [NEW_ID]: EQ.eq } }, `scorers.${NEW_ID}`, 'UUID'],
    ['an advisory that has ended', one({ advisory: advisory(-1) }), 'cases.0.advisory.expires_at', 'future'],
    ['one that lasts too long', one({ advisory: advisory(91) }), 'cases.0.advisory.expires_at', '90 days'],
    [
      'one of a case that must pass',
      one({ must_pass: true, advisory: advisory(1) }),
      'cases.0.advisory',
      'must pass',
    ],
    [
      'what does not compile',
      scorer({ type: 'regex', config: { pattern: '(' } }),
      'scorers.x.config.pattern',
      '',
    ],
    ['a side threshold of one side', scorer({ recall_threshold: 1 }), 'scorers.x.recall_threshold', 'dual'],
    [
      'a model that may not be asked',
      scorer({ type: 'llm_judge', config: { rubric: 'r', _provider: 'openai', model: 'refused' } }),
      'scorers.x.config.model',
      'is refused',
    ],
  ])('%s', async (_, sent, path, message) => {
    expect(await issuesOf(sent)).toEqual([
      { path: `definition.${path}`, message: expect.stringContaining(message) },
    ]);
  });

  test('all that is wrong at once', async () => {
    const cases = ['a', 'b'].map((key) => ({ key, scorer: 'missing', input: {} }));
    expect(await issuesOf({ suite: 'other', cases })).toHaveLength(3);
  });
});

test('a key like an id stays with the case and the scorer that have it', async () => {
  const before = define([aCase(OLD_ID, { scorer: OLD_ID })], {}, [aScorer(OLD_ID, { dual_sided: false })]);
  const sent = { scorers: { [OLD_ID]: EQ.eq }, cases: [{ key: OLD_ID, scorer: OLD_ID, input: {} }] };
  const after = await normalize(sent, before);
  expect([after.cases[0]?.key, ...after.scorers.keys()]).toEqual([OLD_ID, OLD_ID]);
});

test('a scorer that its type would refuse by now may stay as it is', async () => {
  const config = { pattern: '(', flags: '', should_match: true };
  const before = define([], {}, [aScorer('x', { type: 'regex', config, dual_sided: false })]);
  const { scorers } = await normalize({ scorers: { x: { type: 'regex', config } } }, before);
  expect(scorers.size).toBe(1);
});

test.each([
  ['misspelt: 1', { misspelt: 1 }],
  ['in a scorer', { scorers: { x: { ...EQ.eq, misspelt: 1 } } }],
  ['in a case', { cases: [{ key: 'a', scorer: 'x', input: {}, misspelt: 1 }] }],
  ['in an advisory', { cases: [{ key: 'a', scorer: 'x', input: {}, advisory: { misspelt: 1 } }] }],
  ['in gates', { gates: { misspelt: 1 } }],
])('an unknown field is refused, %s', (_, sent) => {
  const { error } = sentDefinitionSchema.safeParse({ version: 1, suite: 's', ...sent });
  const issues = error?.issues.filter(({ code }) => code === 'unrecognized_keys');
  expect(issues).toMatchObject([{ keys: ['misspelt'] }]);
});
