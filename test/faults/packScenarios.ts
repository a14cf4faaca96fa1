import { countsAt } from '../../shared/domain/suites/counts.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';
import { editAfter } from './edits.ts';
import { insist } from './insist.ts';
import { NO_FAULTS } from './processes.ts';
import { drawFaults, type Scenario, type Scene } from './scenario.ts';

const LARGE = { name: 'Large', isJudged: () => false, isBad: (index: number) => index % 3 === 2 };
const DAY_MS = 86_400_000;

/** The head says how many cases are active, or that it is not known. */
async function auditCounts({ service, suites }: Scene): Promise<void> {
  for (const { org, suite } of suites) {
    const head = await suiteStore(service.table).head(org.orgId, suite.slug, suite.project_id);
    const project = await projectStore(service.table).head(org.orgId, org.project.slug);
    const loaded = await suiteStore(service.table).load(org.orgId, suite.id);
    if (head === undefined || project === undefined || loaded === undefined) continue;
    const counts = countsAt({ head, project });
    const active = loaded.cases.length;
    insist(
      counts === undefined || counts.cases === active,
      `the head counts ${counts?.cases} of ${active} cases`,
    );
  }
}

/** Suites that are large enough to be packed by whatever reads them first. */
export const packScenarios: readonly Scenario[] = [
  {
    name: 'a packed suite is edited under runs that read it at once and later',
    edited: true,
    isLarge: true,
    settings: (random) => ({ isShared: random.chance(0.3), faults: { ...drawFaults(random), slow: 0.2 } }),
    async begin(scene) {
      const { clients, random } = scene;
      const suite = await scene.suite({ ...LARGE, cases: random.int(510, 530) });
      for (let run = 0; run < 4; run++) {
        clients.submit(random.int(0, 8_000), { suite, label: `packed${run}`, async: random.chance(0.5) });
      }
      for (let edit = 0; edit < 3; edit++) editAfter(scene, suite, random.int(0, 8_000));
    },
    end: auditCounts,
  },
  {
    name: 'runs days apart prolong a packed suite',
    isLarge: true,
    // Nine days of sweeps would be most of the simulation.
    settings: () => ({ isShared: false, faults: NO_FAULTS, hasSweeper: false }),
    faultyMs: 9 * DAY_MS,
    async begin(scene) {
      const { clients, random } = scene;
      const suite = await scene.suite({ ...LARGE, cases: random.int(510, 530) });
      for (let run = 0; run < 4; run++) {
        const atMs = random.int(0, 9 * DAY_MS);
        clients.submit(atMs, { suite, label: `prolonged${run}`, async: random.chance(0.6) });
      }
    },
    end: auditCounts,
  },
];
