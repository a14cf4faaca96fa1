import { describe, expect, test } from '@jest/globals';
import { type AbandonDeps, abandonChunk } from '../../../../shared/domain/evaluation/abandon.ts';
import { concludeRun } from '../../../../shared/domain/evaluation/conclude.ts';
import type { ConcludedRun, Evaluation } from '../../../../shared/domain/evaluation/evaluation.ts';
import { sampledGroups } from '../../../../shared/domain/evaluation/samples.ts';
import type { ScoredCase } from '../../../../shared/domain/runs/ports.ts';
import { join } from '../../../../shared/domain/runs/results/join.ts';
import type { StoredResult } from '../../../../shared/domain/runs/results/storedResult.ts';
import type { PlannedCase } from '../../../../shared/domain/suites/chains/plannedCase.ts';
import { chainStore } from '../../../../shared/storage/revisions/chains.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { plainRules } from '../../../support/plainRules.ts';
import { addCases } from '../../../support/revisions/bars.ts';
import { caseOf as caseOfGate } from '../../scoring/verdict/model.ts';
import { resultOf } from '../../storage/results.ts';
import { chunkPlan, makeStoredSuite, pairAt, storedCase } from '../../storage/stored.ts';

const caseOf = (id: string, sample_count: number): PlannedCase => ({
  id,
  name: id,
  input: {},
  expected: null,
  threshold: 0.5,
  weight: 1,
  scorer: null,
  ...plainRules(id),
  sample_count,
});
const CASES = [caseOf('a', 2), caseOf('b', 1), caseOf('c', 1), caseOf('d', 1)];
const OUTPUTS = {
  digest: 'sha256:0',
  surplus: [],
  surplusOutputs: 0,
  groups: [
    [
      [0, 1, [0]],
      [1, 3, [0, 1]],
    ],
  ] as const,
  counts: [[2, 1, 0, 1]],
};
const EVALUATION = {
  orgId: 'org',
  runToken: 'token',
  run: { id: 'run', suite_id: 'suite', created_at: '2036-05-05T10:00:00.000Z' },
  plan: chunkPlan({ totalCases: 4, outputs: OUTPUTS }),
} as unknown as Evaluation;

const item = (name: string, position: number) => ({ case: name, output: `${name}${position}`, position });
const TOKENS = { input_tokens: 1, output_tokens: 1 };
const BLOCKS = [[item('a', 3), item('a', 1), item('b', 0)], [item('d', 2)]];

test('the groups of a chunk give each sample the same place as if all were read at once', async () => {
  const evaluations = {
    payload: async () => ({ input: {}, blocks: 2 }),
    outputBlock: async (_: Evaluation, block: number) => BLOCKS[block],
  };
  const groups = [];
  for await (const group of sampledGroups({ evaluations }, EVALUATION, { chunk: 0, cases: CASES })) {
    const outputs = group.samples.map((samples) => samples.map(({ output }) => output));
    groups.push([group.firstPlace, group.cases.map(({ id }) => id), outputs]);
  }
  expect(groups).toEqual([
    [0, ['a'], [['a1', 'a3']]],
    [2, ['b', 'c', 'd'], [['b0'], [], ['d2']]],
  ]);
});

test('a chunk that is given up keeps the answers of judges, and reads no output', async () => {
  const unread = async (): Promise<never> => {
    throw new Error('nothing is read');
  };
  const memory = new MemoryTable(Date.now);
  const { orgId, suite } = await makeStoredSuite(memory);
  const samples = [2, 1, 1, 1].map((sample_count) => storedCase(suite, { sample_count }));
  await addCases(memory, orgId, suite, samples);
  const head = await suiteStore(memory).head(orgId, suite.slug, suite.project_id);
  if (head === undefined) throw new Error('the suite is gone');
  const { id: suite_id, slug: suite_slug, project_id, project_slug } = suite;
  const run = { ...EVALUATION.run, suite_id, suite_slug, project_id, project_slug, revisions: pairAt(head) };
  const plan = chunkPlan({ ends: [4], totalCases: 4, outputs: OUTPUTS });
  const evaluation = { ...EVALUATION, orgId, run, plan };
  const timedOut = { errored: true, passed: false, scorer_output: { error: 'JUDGE_TIMEOUT' } };
  let ended: readonly ScoredCase[] = [];
  const evaluations = {
    payload: unread,
    outputBlock: unread,
    claim: async () => 'claimed',
    judged: async () => new Map([[1, { result: { ...resultOf(0, 'x'), ...timedOut }, usage: TOKENS }]]),
    verdictsOfRun: async () => [{ place: 2, score: 1, passed: true, reason: 'r', output: { usage: TOKENS } }],
    finishChunk: async (_: unknown, __: unknown, ___: unknown, { results }: { results: StoredResult[] }) => {
      ended = results.map((stored) => join(stored, undefined).result);
      return true;
    },
    markEnded: async () => [0],
  };
  const deps = { evaluations, chains: chainStore(memory), newId: () => 'holder' };
  await abandonChunk(deps as unknown as AbandonDeps, evaluation, 0);
  const failed = { passed: false, errored: true, missing: false, output_digest: null };
  expect(ended).toMatchObject([
    { ...failed, samples: [{ output_digest: null }, { scorer_output: { error: 'JUDGE_TIMEOUT' } }] },
    { passed: true, errored: false, missing: false, output_digest: null },
    { passed: false, errored: false, missing: true },
    { ...failed, scorer_output: { error: 'EVALUATION_FAILED' } },
  ]);
});

describe('a run of which one chunk could not be evaluated is inconclusive', () => {
  const lost = caseOfGate('lost', 'errored', { fault: 'service', mustPass: true });
  test.each([
    ['by the service where all else passed', caseOfGate('a', 'passed'), false, 'service'],
    ['by the candidate where a case that must pass failed', caseOfGate('a', 'failed'), false, 'candidate'],
    ['by the candidate where such a case got no output', caseOfGate('a', 'missing'), false, 'candidate'],
    ['by the bar where its suite is gone', caseOfGate('a', 'passed'), true, 'bar'],
  ])('%s', async (_, one, isAbandoned, fault) => {
    const chunks = [
      { failed: false, cases: [{ ...one, mustPass: true }], notices: [] },
      { failed: true, cases: [lost], notices: [] },
    ];
    let concluded: ConcludedRun | undefined;
    const evaluations = {
      endedChunks: async () => new Map(chunks.entries()),
      dropPayload: async () => {},
      conclude: async (__: unknown, verdict: ConcludedRun) => {
        concluded = verdict;
        return true;
      },
    };
    const plan = chunkPlan({ ends: [1, 2], totalCases: 2, outputs: OUTPUTS, isAbandoned });
    await concludeRun(
      { evaluations, now: () => 0 } as unknown as Parameters<typeof concludeRun>[0],
      EVALUATION,
      plan,
    );
    expect(concluded).toMatchObject({ status: 'aborted', inconclusive: true, refundsUsage: true, fault });
  });
});
