import { PLAN } from '../../shared/domain/plans.ts';
import { monthOf, timestamp } from '../../shared/domain/time.ts';
import { changePlan } from '../../shared/storage/billing/planChanges.ts';
import { setUsed } from '../support/usage.ts';
import { judgedSmall } from './runScenarios.ts';
import { drawFaults, type Scenario, type Scene } from './scenario.ts';
import { storeKey } from './storedKeys.ts';

const STORMS = [0.3, 0.6, 0.8];
const NEXT_MONTH_MS = 3_600_000;

const settings: Scenario['settings'] = (random) => ({
  faults: { ...drawFaults(random), storm: random.pick(STORMS) },
  isShared: false,
});

const onPlan = ({ service }: Scene, plan: 'pro' | 'free') =>
  changePlan(service.table, {
    orgId: service.org.orgId,
    plan: () => plan,
    atMs: service.sim.now(),
    alongside: {},
  });

/** Many runs at the same moments: of judged and other suites, waited for and not. */
async function manyRuns(scene: Scene): Promise<void> {
  const { clients, random } = scene;
  storeKey(scene);
  const judged = await scene.suite({ ...judgedSmall, cases: random.int(1, 3) });
  const plain = await scene.suite({
    name: 'Plain',
    cases: 3,
    isJudged: () => false,
    isBad: (index) => index === 1,
  });
  for (let run = 0; run < random.int(8, 20); run++) {
    const suite = random.chance(0.3) ? judged : plain;
    const label = `storm${run}`;
    const key = random.chance(0.4) ? { key: `key-${label}` } : {};
    clients.submit(1_000 + random.int(0, 200), { suite, label, async: random.chance(0.3), ...key });
  }
}

/** Writers that meet on the same items again and again. */
export const stormScenarios: readonly Scenario[] = [
  {
    name: 'many runs at once under a plan that blocks none',
    settings,
    async begin(scene) {
      await onPlan(scene, 'pro');
      await manyRuns(scene);
    },
  },
  {
    name: 'many runs at once near the end of the quota of Free',
    settings,
    async begin(scene) {
      const { service, random } = scene;
      const { orgId } = service.org;
      service.auditor.blocked.add(orgId);
      for (const atMs of [service.sim.now(), service.sim.now() + NEXT_MONTH_MS]) {
        const month = monthOf(timestamp(atMs));
        const used = PLAN.free.monthlyRuns - random.int(0, 6);
        service.auditor.usedBefore.set(`${orgId} ${month}`, used);
        await setUsed(service.table, orgId, month, used);
      }
      await manyRuns(scene);
    },
  },
  {
    name: 'the plan changes while many runs are stored',
    settings,
    async begin(scene) {
      const { service, clients, random } = scene;
      await onPlan(scene, random.pick(['pro', 'free']));
      await manyRuns(scene);
      for (let change = 0; change < random.int(1, 4); change++) {
        const plan = random.pick(['free', 'pro', 'scale'] as const);
        clients.begin(random.int(800, 2_500), async () => {
          while (!(await service.changePlan(plan))) await service.sim.sleep(random.int(500, 5_000));
        });
      }
    },
  },
];
