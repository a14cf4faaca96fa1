import { NO_FAULTS } from './processes.ts';
import { judgedSmall, killsSecondChunk, severalChunks } from './runScenarios.ts';
import { drawFaults, type Scenario } from './scenario.ts';
import { storeKey } from './storedKeys.ts';

const MINUTE_MS = 60_000;

/** More runs than the two evaluators take that may judge for an organisation at a provider. */
export const seatScenarios: readonly Scenario[] = [
  {
    name: 'more judged chunks than seats, of several organisations',
    isLarge: true,
    settings: (random) => ({ evaluators: random.int(3, 6), batchMax: 1, isShared: false }),
    async begin(scene) {
      const { service, clients, random } = scene;
      const other = await service.addOrganisation({ provider: 'openai' });
      for (const org of service.orgs) {
        storeKey(scene, { org });
        const cases = org === other ? random.int(1, 25) : random.int(501, 520);
        const suite = await scene.suite({ ...severalChunks, cases }, org);
        for (let run = 0; run < 2; run++) {
          const wish = {
            suite,
            label: `${org === other ? 'other' : 'own'}${run}`,
            async: random.chance(0.7),
          };
          clients.submit(random.int(500, 10_000), wish);
        }
      }
    },
  },
  {
    name: 'a chunk that always kills its evaluator, among small runs of its organisation',
    isLarge: true,
    settings: () => ({
      faults: NO_FAULTS,
      isShared: false,
      batchMax: 1,
      evaluators: 4,
      visibilityMs: 60_000,
      kills: killsSecondChunk,
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const poisoned = await scene.suite({ ...severalChunks, cases: random.int(501, 520) });
      const small = await scene.suite({ ...judgedSmall, cases: random.int(1, 3) });
      clients.submit(random.int(1_000, 6_000), { suite: poisoned, label: 'poisoned', async: true });
      for (let run = 0; run < 8; run++) {
        clients.submit(random.int(1_000, 20_000), { suite: small, label: `small${run}`, async: true });
      }
    },
    end({ service }) {
      for (const { label, givesBack } of service.auditor.runs.values()) {
        if (givesBack !== (label === 'poisoned')) throw new Error(`${label} was given back: ${givesBack}`);
      }
    },
  },
  {
    name: 'writes conflict all the time while runs wait for seats',
    faultyMs: 10 * MINUTE_MS,
    settings: (random) => ({
      isShared: false,
      visibilityMs: 60_000,
      retryMs: 30_000,
      evaluators: random.int(3, 6),
      batchMax: 1,
      faults: {
        ...drawFaults(random),
        conflict: random.pick([0.05, 0.15]),
        ambiguous: random.pick([0, 0.05]),
        kill: random.pick([0, 0.05, 0.2]),
        freeze: random.pick([0, 0.05, 0.2]),
      },
    }),
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.pick([1, 4, 25]) });
      for (let run = 0; run < 6; run++) {
        const wish = { suite, label: `storm${run}`, async: random.chance(0.7), key: `key${run}` };
        clients.submit(random.int(1_000, 60_000), wish);
      }
    },
  },
];
