import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Judge } from '../../../shared/domain/evaluation/judging/ports.ts';
import type { WorkMessage } from '../../../shared/domain/messages.ts';
import { type Player, startPlayer } from '../../faults/player.ts';
import { NO_FAULTS } from '../../faults/processes.ts';
import type { Scenario, Scene } from '../../faults/scenario.ts';
import type { ServiceSettings } from '../../faults/settings.ts';
import { storeKey } from '../../faults/storedKeys.ts';

const MINUTE_MS = 60_000;
const SEED = 1;

let player: Player;
beforeAll(async () => {
  player = await startPlayer();
});
afterAll(() => player.stop());

/** As on AWS, when nothing fails: one message an invocation, which outlives any wait. */
const calm = (fields: Partial<ServiceSettings>) => (): Partial<ServiceSettings> => ({
  faults: NO_FAULTS,
  isShared: false,
  batchMax: 1,
  visibilityMs: 90 * MINUTE_MS,
  retryMs: undefined,
  ...fields,
});

const always = (latencyMs: readonly [number, number]) => ({ trouble: 0, troubles: [], latencyMs });

const messagesOf = ({ service }: Scene): WorkMessage[] =>
  service.queue.bodies.map((body) => JSON.parse(body));

async function submitRuns(scene: Scene, runs: number, cases: number): Promise<void> {
  storeKey(scene);
  const suite = await scene.suite({ name: 'Judged', cases, isJudged: () => true, isPlain: true });
  for (let run = 0; run < runs; run++) {
    scene.clients.submit(1_000, { suite, label: `run${run}`, async: true, key: `run${run}` });
  }
}

function expectAllCleared({ service }: Scene, runs: number): void {
  const statuses = [...service.auditor.runs.values()].map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: runs }, () => 'cleared'));
}

test('runs that wait for judge slots get no reminder, and no chunk ever has two messages', async () => {
  const scenario: Scenario = {
    name: 'waiting for slots',
    settings: calm({ evaluators: 6, provider: always([30_000, 44_000]) }),
    begin: (scene) => submitRuns(scene, 4, 60),
    end(scene) {
      expectAllCleared(scene, 4);
      const messages = messagesOf(scene);
      const waits = messages.filter((message) => message.kind === 'chunk' && message.waits > 0);
      expect(waits.length).toBeGreaterThan(0);
      expect(messages.filter(({ kind }) => kind === 'plan')).toHaveLength(4);
      expect(new Set(service(scene).bodies).size).toBe(messages.length);
    },
  };
  await player.play(scenario, SEED);
});

const service = ({ service: { queue } }: Scene) => queue;

test('runs that wait behind other runs for more than an hour are not given up', async () => {
  const RUNS = 16;
  const scenario: Scenario = {
    name: 'behind others',
    settings: calm({ evaluators: 1, provider: always([300_000, 301_000]) }),
    begin: (scene) => submitRuns(scene, RUNS, 1),
    end(scene) {
      expect(scene.service.sim.elapsedMs).toBeGreaterThan(70 * MINUTE_MS);
      expectAllCleared(scene, RUNS);
      // Asked for after 3, 9, 21 and 45 minutes: a plan and its chunk each time.
      expect(messagesOf(scene).length).toBeLessThanOrEqual(RUNS * 2 * 5);
    },
  };
  await player.play(scenario, SEED);
});

test('a chunk whose evaluator works for minutes without a word to the table is not taken from it', async () => {
  let judged = 0;
  const slowJudge: NonNullable<ServiceSettings['judge']> = (_, process): Judge => ({
    async judge() {
      judged++;
      await process.sleep(5 * MINUTE_MS);
      const usage = { input_tokens: 1, output_tokens: 1 };
      return { kind: 'verdict', score: 0.9, reason: 'good', rawResponse: {}, usage };
    },
    testKey: async () => ({ kind: 'tested', valid: true }),
    retirements: async () => new Map(),
  });
  const scenario: Scenario = {
    name: 'a long evaluation',
    // Only what is asked through the provider's stand-in counts as a call there.
    edited: true,
    hasOwnJudge: true,
    settings: calm({ evaluators: 4, judge: slowJudge }),
    async begin(scene) {
      await submitRuns(scene, 1, 3);
      const { sim, queue } = scene.service;
      for (const [minute, kind] of [
        [2, 'plan'],
        [3, 'chunk'],
        [4, 'plan'],
      ] as const) {
        sim.after(minute * MINUTE_MS, 'delivered again', () => {
          const plan = JSON.parse(queue.bodies.find((body) => body.includes('"plan"')) ?? '{}');
          const message = kind === 'plan' ? plan : { ...plan, kind, chunk: 0, waits: 0, held: 0 };
          queue.put(JSON.stringify(message), 0);
        });
      }
    },
    end(scene) {
      expectAllCleared(scene, 1);
      expect(judged).toBe(3);
    },
  };
  await player.play(scenario, SEED);
});

test('a chunk whose evaluator died is evaluated minutes later, long before its message comes back', async () => {
  let deaths = 0;
  const scenario: Scenario = {
    name: 'a death',
    settings: calm({
      evaluators: 4,
      provider: always([1_000, 2_000]),
      kills: (process, operation) =>
        process.name.startsWith('evaluator/evaluate') && /^query JUDGED#/.test(operation) && deaths++ === 0,
    }),
    begin: (scene) => submitRuns(scene, 1, 5),
    end(scene) {
      expectAllCleared(scene, 1);
      expect(deaths).toBeGreaterThan(1);
      const [run] = [...scene.service.auditor.runs.values()];
      expect(run?.tookMs).toBeLessThan(10 * MINUTE_MS);
    },
  };
  await player.play(scenario, SEED);
});

/** The most processes with calls under way at once. */
function watchCalls({ service }: Scene): { evaluatorsMax: number } {
  const seen = { evaluatorsMax: 0 };
  const { watch } = service.sim;
  service.sim.watch = () => {
    watch();
    seen.evaluatorsMax = Math.max(seen.evaluatorsMax, service.provider.evaluators);
  };
  return seen;
}

test('two evaluators make all 20 calls of 20 runs of one case; no third one calls', async () => {
  let seen = { evaluatorsMax: 0 };
  const scenario: Scenario = {
    name: 'many small runs',
    settings: calm({ evaluators: 10, provider: always([20_000, 40_000]) }),
    async begin(scene) {
      await submitRuns(scene, 20, 1);
      scene.service.sim.after(1_000, 'watched', () => {
        seen = watchCalls(scene);
      });
    },
    end(scene) {
      expectAllCleared(scene, 20);
      expect(seen.evaluatorsMax).toBe(2);
      expect(scene.service.provider.inFlightMax).toBe(20);
      expect(scene.service.provider.total).toBe(20);
    },
  };
  await player.play(scenario, SEED);
});

test('a chunk takes no case after ten minutes and goes on in another invocation; no judge is called twice for a case', async () => {
  const scenario: Scenario = {
    name: 'a long chunk',
    settings: calm({ evaluators: 4, provider: always([40_000, 44_000]) }),
    begin: (scene) => submitRuns(scene, 2, 200),
    end(scene) {
      expectAllCleared(scene, 2);
      expect(scene.service.deaths).toBe(0);
      expect(scene.service.provider.total).toBe(400);
      expect(messagesOf(scene).filter((message) => message.kind === 'chunk').length).toBeGreaterThan(0);
    },
  };
  await player.play(scenario, SEED);
});

test('a caller that would wait behind other runs of its organisation is answered at once, with the pending run', async () => {
  const answers: { status: number; afterMs: number }[] = [];
  const scenario: Scenario = {
    name: 'callers behind a backlog',
    settings: calm({ evaluators: 10, provider: always([30_000, 44_000]) }),
    async begin(scene) {
      await submitRuns(scene, 6, 60);
      const { clients, service, suites } = scene;
      const [fixture] = suites;
      if (fixture === undefined) throw new Error('there is no suite');
      clients.begin(8_000, async () => {
        const fromMs = service.sim.now();
        const body = { suite: fixture.suite.slug, output: 'late ok', trigger_meta: { label: 'late' } };
        service.provider.askedBy('late', fixture.org.orgId);
        service.auditor.sent.set('late', { sent: { output: 'late ok' }, sinceMs: fromMs });
        const answer = await service.http('runs/create', { body }, fixture.org);
        answers.push({ status: answer?.status ?? 0, afterMs: service.sim.now() - fromMs });
      });
    },
    end(scene) {
      expectAllCleared(scene, 7);
      expect(answers.map(({ status }) => status)).toEqual([202]);
      expect(answers[0]?.afterMs).toBeLessThan(1_000);
    },
  };
  await player.play(scenario, SEED);
});
