import { isDeepStrictEqual } from 'node:util';
import { currentOf } from '../../shared/domain/suites/chains/chains.ts';
import { sumsOf } from '../../shared/domain/suites/chains/members.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';
import { editAfter } from './edits.ts';
import { insist } from './insist.ts';
import { NO_FAULTS } from './processes.ts';
import { drawFaults, type Scenario, type Scene } from './scenario.ts';

const LARGE = { name: 'Large', isJudged: () => false, isBad: (index: number) => index % 3 === 2 };
const DAY_MS = 86_400_000;

/** The sums of the revision in force are those of its cases. */
async function auditCounts({ service: { table }, suites }: Scene): Promise<void> {
  for (const { org, suite } of suites) {
    const found = await suiteStore(table).holding(org.orgId, suite.id);
    if (found === undefined) continue;
    const members = await currentOf(chainStore(table), org.orgId, found).members();
    const [stated, due] = [found.revision.fields.sums, sumsOf(members)];
    const words = () =>
      `the revision sums up ${JSON.stringify(stated)}, and its cases ${JSON.stringify(due)}`;
    if (!isDeepStrictEqual(stated, due)) insist(false, words());
  }
}

/** Suites of several chunks, whose blocks functions keep in memory. */
export const largeScenarios: readonly Scenario[] = [
  {
    name: 'a suite of several chunks is edited under runs that read it at once and later',
    edited: true,
    isLarge: true,
    settings: (random) => ({ isShared: random.chance(0.3), faults: { ...drawFaults(random), slow: 0.2 } }),
    async begin(scene) {
      const { clients, random } = scene;
      const suite = await scene.suite({ ...LARGE, cases: random.int(510, 530) });
      for (let run = 0; run < 4; run++) {
        clients.submit(random.int(0, 8_000), { suite, label: `several${run}`, async: random.chance(0.5) });
      }
      for (let edit = 0; edit < 3; edit++) editAfter(scene, suite, random.int(0, 8_000));
    },
    end: auditCounts,
  },
  {
    name: 'runs days apart read one revision',
    isLarge: true,
    // Nine days of sweeps would be most of the simulation.
    settings: () => ({ isShared: false, faults: NO_FAULTS, hasSweeper: false }),
    faultyMs: 9 * DAY_MS,
    async begin(scene) {
      const { clients, random } = scene;
      const suite = await scene.suite({ ...LARGE, cases: random.int(510, 530) });
      for (let run = 0; run < 4; run++) {
        const atMs = random.int(0, 9 * DAY_MS);
        clients.submit(atMs, { suite, label: `apart${run}`, async: random.chance(0.6) });
      }
    },
    end: auditCounts,
  },
];
