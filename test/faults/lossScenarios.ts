import { insist } from './insist.ts';
import { NO_FAULTS } from './processes.ts';
import { judgedSmall } from './runScenarios.ts';
import { drawFaults, type Scenario, SKEW_MS_MAX } from './scenario.ts';
import { storeKey } from './storedKeys.ts';

const MINUTE_MS = 60_000;
/** The key is stored before this: without one there is no verdict. */
const KEY_STORED_MS = 1_000;
/** So rare that nothing fails five times in a row. */
const OCCASIONAL = { throttled: 0.006, conflict: 0.006 };
/** Five deliveries, and some time for each. */
const WORN_OUT_MS = 20 * MINUTE_MS;

/** Losses, deaths and delays that must not prevent a verdict. */
export const lossScenarios: readonly Scenario[] = [
  {
    name: 'messages are lost, and nothing else fails',
    conclusive: true,
    faultyMs: 20 * MINUTE_MS,
    settings: (random) => ({
      faults: NO_FAULTS,
      provider: {
        trouble: 0,
        troubles: ['broken'],
        latencyMs: random.pick([
          [200, 800],
          [1_000, 20_000],
        ]),
      },
    }),
    async begin(scene) {
      const { service, clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.pick([3, 25, 45]) });
      for (let outage = 0; outage < random.int(1, 3); outage++) {
        const fromMs = KEY_STORED_MS + random.int(0, 8 * MINUTE_MS) * outage;
        const untilMs = fromMs + random.int(1_000, 3 * MINUTE_MS);
        service.queue.loseBetween(fromMs, untilMs);
      }
      for (let run = 0; run < 3; run++) {
        const atMs = KEY_STORED_MS + random.int(0, 2 * MINUTE_MS);
        clients.submit(atMs, { suite, label: `lost${run}`, async: random.chance(0.7) });
      }
    },
  },
  {
    name: 'nobody receives for more than an hour, and what waits in the queue gets its verdict all the same',
    conclusive: true,
    faultyMs: 105 * MINUTE_MS,
    settings: () => ({
      faults: NO_FAULTS,
      provider: { trouble: 0, troubles: ['broken'], latencyMs: [200, 2_000] },
    }),
    async begin(scene) {
      const { service, clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.pick([2, 25, 45]) });
      service.queue.standBetween(random.int(0, MINUTE_MS), random.int(75, 100) * MINUTE_MS);
      for (let run = 0; run < 4; run++) {
        clients.submit(random.int(1_000, 30 * MINUTE_MS), { suite, label: `waited${run}`, async: true });
      }
    },
  },
  {
    name: 'nothing fails, and no clock is right',
    conclusive: true,
    settings: (random) => ({
      faults: { ...NO_FAULTS, slow: random.pick([0, 0.1]) },
      provider: {
        trouble: 0,
        troubles: ['broken'],
        latencyMs: random.pick([
          [200, 800],
          [500, 40_000],
        ]),
      },
      skewMs: SKEW_MS_MAX,
      hasSweeper: false,
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const isJudged = random.chance(0.8);
      const suite = await scene.suite({ ...judgedSmall, isJudged: () => isJudged, cases: random.int(1, 45) });
      for (let run = 0; run < 4; run++) {
        const key = { key: `key${run}` };
        const atMs = 10 * KEY_STORED_MS + random.int(0, 60_000);
        clients.submit(atMs, { suite, label: `skewed${run}`, async: random.chance(0.5), ...key });
      }
    },
  },
  {
    name: 'the table fails now and then, no message is lost, and nobody sweeps',
    settings: () => ({
      faults: { ...NO_FAULTS, ...OCCASIONAL },
      hasSweeper: false,
      isShared: false,
      visibilityMs: MINUTE_MS,
      retryMs: 30_000,
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(1, 3) });
      for (let run = 0; run < 5; run++) {
        const atMs = KEY_STORED_MS + random.int(0, MINUTE_MS);
        clients.submit(atMs, { suite, label: `seldom${run}`, async: random.chance(0.7) });
      }
    },
  },
  {
    name: 'evaluators freeze, and wake up when others have their work',
    faultyMs: 20 * MINUTE_MS,
    settings: (random) => ({
      isShared: random.chance(0.2),
      visibilityMs: 60_000,
      evaluators: random.int(3, 5),
      batchMax: 1,
      faults: { ...drawFaults(random), kill: random.pick([0, 0.05]), freeze: random.pick([0.05, 0.2, 0.5]) },
      provider: {
        trouble: random.pick([0, 0.3, 0.6]),
        troubles: ['broken', 'limited', 'hangs'],
        latencyMs: random.pick([
          [200, 800],
          [5_000, 40_000],
        ]),
      },
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.pick([2, 6, 45]) });
      for (let run = 0; run < 3; run++) {
        clients.submit(random.int(1_000, 60_000), { suite, label: `frozen${run}`, async: true });
      }
    },
  },
  {
    name: 'a run kills its planners, and nothing else fails',
    settings: () => ({
      faults: NO_FAULTS,
      isShared: false,
      batchMax: 1,
      visibilityMs: MINUTE_MS,
      kills: (process, operation) =>
        process.name.startsWith('evaluator/evaluate') && operation.startsWith('update RUN#'),
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(1, 45) });
      clients.submit(KEY_STORED_MS, { suite, label: 'unplanned', async: true });
    },
    end({ service }) {
      const [run] = service.auditor.runs.values();
      insist(run?.givesBack === true, 'the run that cannot be planned was not given back');
      insist(run.tookMs < WORN_OUT_MS, 'it took the sweeper to give up a run that cannot be planned');
    },
  },
  {
    name: 'evaluators die while their provider is in trouble',
    faultyMs: 20 * MINUTE_MS,
    settings: (random) => ({
      isShared: false,
      visibilityMs: 60_000,
      retryMs: random.chance(0.7) ? 30_000 : undefined,
      faults: { ...drawFaults(random), kill: random.pick([0.05, 0.3, 0.6]) },
      provider: {
        trouble: random.pick([0.3, 0.6, 0.9]),
        troubles: ['broken', 'limited', 'cut', 'garbage'],
        latencyMs: [200, 2_000],
      },
      // Between a call and the write of its result, or between two calls.
      kills: (_, operation, { kill }) =>
        (/^(put\w* JUDGED|update VERDICT)#/.test(operation) && random.chance(kill)) ||
        (operation.startsWith('update CHUNK#') && random.chance(kill / 3)),
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(1, 4) });
      for (let run = 0; run < 2; run++) {
        clients.submit(random.int(1_000, 5_000), { suite, label: `trouble${run}`, async: true });
      }
    },
  },
  {
    name: 'three votes on each output keep the slots in use',
    judge: { provider: 'openai', votes: 3 },
    settings: () => ({
      faults: NO_FAULTS,
      provider: { trouble: 0, troubles: [], latencyMs: [1_000, 3_000] },
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(150, 190), isPlain: true });
      clients.submit(1_000, { suite, label: 'voted', async: true });
    },
    end({ service: { provider } }) {
      const { inFlightMean } = provider;
      insist(inFlightMean >= 15, `${inFlightMean} calls were under way on the average`);
    },
  },
  {
    name: 'evaluators die between the votes on an output',
    judge: { provider: 'openai', votes: 3 },
    faultyMs: 20 * MINUTE_MS,
    settings: (random) => ({
      isShared: false,
      visibilityMs: 60_000,
      faults: { ...drawFaults(random), kill: random.pick([0.05, 0.3, 0.6]) },
      provider: {
        trouble: random.pick([0, 0.3, 0.6]),
        troubles: ['broken', 'limited', 'cut', 'garbage', 'refuses'],
        latencyMs: [200, 2_000],
      },
      // Each call is counted by such an update before it is made.
      kills: (_, operation, { kill }) =>
        (operation.startsWith('update VERDICT#') && random.chance(kill)) ||
        (operation.startsWith('update CHUNK#') && random.chance(kill / 3)),
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(1, 25) });
      for (let run = 0; run < 2; run++) {
        clients.submit(random.int(1_000, 5_000), { suite, label: `votes${run}`, async: true });
      }
    },
  },
];
