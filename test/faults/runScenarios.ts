import { editAfter } from './edits.ts';
import type { Scenario } from './scenario.ts';
import { drawFaults } from './scenario.ts';
import type { ServiceSettings } from './settings.ts';
import { storeKey } from './storedKeys.ts';

const MINUTE_MS = 60_000;

export const judgedSmall = {
  name: 'Judged',
  isJudged: () => true,
  isBad: (index: number) => index % 4 === 3,
};

/** From 501 cases on several chunks, each with judged cases. */
export const severalChunks = { ...judgedSmall, isJudged: (index: number) => index % 50 === 0 };

export const killsSecondChunk: NonNullable<ServiceSettings['kills']> = (process, operation) =>
  process.name.startsWith('evaluator/evaluate') && /^query JUDGED#.*#00001#$/.test(operation);

export const runScenarios: readonly Scenario[] = [
  {
    name: 'callers wait for judged runs',
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(1, 6) });
      for (let run = 0; run < random.int(2, 4); run++) {
        const label = `wait${run}`;
        const key = random.chance(0.7) ? { key: `key-${label}` } : {};
        clients.submit(random.int(500, 20_000), { suite, label, async: false, ...key });
      }
    },
  },
  {
    name: 'runs whose outputs come with traces',
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const isJudged = random.chance(0.5) ? (index: number) => index % 4 === 0 : () => false;
      const isTraced = (index: number) => index % 4 !== 1;
      const suite = await scene.suite({ name: 'Traced', cases: random.int(2, 24), isJudged, isTraced });
      for (let run = 0; run < random.int(3, 6); run++) {
        const key = random.chance(0.5) ? { key: `key${run}` } : {};
        const submitted = { suite, label: `traced${run}`, async: random.chance(0.6), ...key };
        clients.submit(random.int(0, 6_000), submitted);
      }
    },
  },
  {
    name: 'deterministic runs of several chunks',
    isLarge: true,
    async begin(scene) {
      const { clients, random } = scene;
      const suite = await scene.suite({
        name: 'Large',
        cases: random.int(501, 1_100),
        isJudged: () => false,
        isBad: (index) => index % 3 === 2,
      });
      for (let run = 0; run < 2; run++) {
        clients.submit(random.int(0, 5_000), { suite, label: `large${run}`, async: true, key: `key${run}` });
      }
    },
  },
  {
    name: 'a judged backlog beyond the slots, in several functions',
    settings: (random) => ({ evaluators: random.int(2, 4), batchMax: 1, isShared: false }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(21, 45) });
      for (let run = 0; run < random.int(2, 6); run++) {
        clients.submit(random.int(1_000, 5_000), { suite, label: `backlog${run}`, async: true });
      }
    },
  },
  {
    name: 'many requests with one idempotency key',
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const isJudged = random.chance(0.5);
      const suite = await scene.suite({ name: 'Once', cases: 3, isJudged: () => isJudged });
      for (let request = 0; request < random.int(4, 10); request++) {
        clients.submit(random.int(500, 3_000), { suite, label: 'once', async: isJudged, key: 'the-key' });
      }
      for (let run = 0; run < 3; run++) {
        clients.submit(random.int(0, 3_000), { suite, label: `other${run}`, async: false });
      }
    },
  },
  {
    name: 'the suite is deleted under its runs',
    edited: true,
    // Many concurrent planners, some of which still find the suite.
    settings: (random) => ({ faults: { ...drawFaults(random), queue: 0.5, slow: 0.2 } }),
    async begin(scene) {
      const { service, clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.pick([3, 25]) });
      for (let run = 0; run < 3; run++) {
        clients.submit(random.int(500, 2_000), { suite, label: `doomed${run}`, async: true });
      }
      const params = { slug: service.org.project.slug, suiteSlug: suite.suite.slug };
      clients.begin(
        random.chance(0.7) ? random.int(800, 3_500) : random.int(0, 8_000),
        async () => void (await clients.insist(() => service.http('suites/delete', { params }))),
      );
    },
  },
  {
    name: 'the suite is edited under its runs',
    edited: true,
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(2, 25) });
      for (let run = 0; run < 3; run++) {
        clients.submit(random.int(500, 4_000), { suite, label: `edited${run}`, async: true });
      }
      for (let edit = 0; edit < 4; edit++) editAfter(scene, suite, random.int(0, 6_000));
    },
  },
  {
    name: 'a large suite is edited while its runs are planned',
    isLarge: true,
    edited: true,
    settings: (random) => ({ faults: { ...drawFaults(random), slow: 0.3 } }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const shape = { name: 'Large', isJudged: (index: number) => index === 0 };
      const suite = await scene.suite({ ...shape, cases: random.int(400, 600) });
      for (let run = 0; run < 2; run++) {
        clients.submit(1_000, { suite, label: `planned${run}`, async: true });
      }
      // At most as many as there are plans made from an old outline.
      for (let edit = 0; edit < 4; edit++) {
        editAfter(scene, suite, 1_000 + random.int(50, 900));
      }
    },
  },
  {
    name: 'a chunk that always kills its evaluator',
    isLarge: true,
    settings: () => ({
      isShared: false,
      batchMax: 1,
      visibilityMs: 60_000,
      kills: killsSecondChunk,
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...severalChunks, cases: random.int(501, 545) });
      clients.submit(1_000, { suite, label: 'poisoned', async: true, key: 'poisoned' });
    },
    end({ service }) {
      const run = [...service.auditor.runs.values()].find(({ label }) => label === 'poisoned');
      if (run !== undefined && !run.givesBack) throw new Error('the poisoned run was not given back');
    },
  },
  {
    name: 'a queue that loses everything for a while',
    faultyMs: 6 * MINUTE_MS,
    async begin(scene) {
      const { service, clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(1, 5) });
      service.queue.loses = true;
      service.sim.after(random.int(1, 5) * MINUTE_MS, 'the queue keeps messages', () => {
        service.queue.loses = false;
      });
      for (let run = 0; run < 3; run++) {
        clients.submit(random.int(500, 60_000), { suite, label: `lost${run}`, async: run > 0 });
      }
    },
  },
  {
    name: 'runs that nobody evaluates in time',
    async begin(scene) {
      const { service, clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(1, 25) });
      // The plan may arrive while its chunks are lost.
      service.sim.after(random.int(0, 4_000), 'the queue loses messages', () => {
        service.queue.loses = true;
      });
      for (let run = 0; run < 2; run++) {
        clients.submit(random.int(0, 5_000), { suite, label: `overdue${run}`, async: true });
      }
    },
  },
];
