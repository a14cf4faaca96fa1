import type { Organisation } from './fixtures.ts';
import { insist } from './insist.ts';
import { NO_FAULTS } from './processes.ts';
import { judgedSmall } from './runScenarios.ts';
import { drawFaults, type Scenario, type Scene } from './scenario.ts';
import type { HttpAnswer } from './settings.ts';
import { insistOnKey, insistOnRevoking, type StoredKey, storeKey } from './storedKeys.ts';

const MINUTE_MS = 60_000;

function submitSome({ clients, random, suites }: Scene, runs: number, name: string): void {
  for (const [index, suite] of suites.entries()) {
    for (let run = 0; run < runs; run++) {
      const wish = { suite, label: `${name}${index}-${run}`, async: random.chance(0.8) };
      clients.submit(random.int(500, 20_000), random.chance(0.5) ? { ...wish, key: `key-${run}` } : wish);
    }
  }
}

/** A key test may answer `valid` or `not valid` only after the provider's answer. */
async function testKey(
  { service }: Scene,
  org: Organisation,
  key: StoredKey,
  isRevoked: () => boolean,
): Promise<void> {
  const mayBeGone = () => isRevoked();
  const answer: HttpAnswer | undefined = await service.http(
    'byokKeys/test',
    { params: { keyId: key.id } },
    org,
  );
  if (answer === undefined || answer.status === 500) return;
  const { status, body } = answer;
  if (status === 404) return insist(mayBeGone(), 'a key that is there was not found');
  insist(status === 200, `a key test was answered ${status}`);
  const isGood = !service.provider.keys.rejected.has(key.apiKey);
  insist(body.valid === isGood || (!body.valid && mayBeGone()), `a test said of a key: valid ${body.valid}`);
}

/** Scenarios of BYOK keys. */
export const keyScenarios: readonly Scenario[] = [
  {
    name: 'the key is revoked under its runs',
    async begin(scene) {
      const { service, clients, random } = scene;
      await scene.suite({ ...judgedSmall, cases: random.int(2, 24) });
      const hasAnother = random.chance(0.5);
      clients.begin(0, async () => {
        if (hasAnother) await insistOnKey(scene, { isDefault: false });
        const key = await insistOnKey(scene, { isDefault: random.chance(0.5) });
        await service.sim.sleep(random.int(500, 10_000));
        await insistOnRevoking(scene, key);
      });
      submitSome(scene, 3, 'revoked');
    },
  },
  {
    name: 'two organisations at once, each with its own key',
    async begin(scene) {
      const { service, clients, random } = scene;
      const other = await service.addOrganisation({ provider: 'openai' });
      for (const org of service.orgs) {
        await scene.suite({ ...judgedSmall, cases: random.pick([2, 6, 25]) }, org);
        const isRevoked = random.chance(0.3);
        clients.begin(random.int(0, 500), async () => {
          const key = await insistOnKey(scene, { org, rejected: org === other && random.chance(0.3) });
          if (isRevoked) await service.sim.sleep(random.int(500, 20_000));
          if (isRevoked) await insistOnRevoking(scene, key, org);
        });
      }
      submitSome(scene, 2, 'either');
    },
  },
  {
    name: 'the vault is throttled',
    settings: (random) => ({ faults: { ...drawFaults(random), vault: random.pick([0.1, 0.3, 0.6]) } }),
    async begin(scene) {
      const { random } = scene;
      storeKey(scene);
      await scene.suite({ ...judgedSmall, cases: random.int(1, 25) });
      submitSome(scene, 3, 'throttled');
    },
  },
  {
    name: 'the vault never opens the key of one organisation again',
    settings: (random) => (random.chance(0.5) ? { faults: NO_FAULTS } : {}),
    async begin(scene) {
      const { service, random } = scene;
      const other = await service.addOrganisation({ provider: 'openai' });
      for (const org of service.orgs) {
        storeKey(scene, { org });
        await scene.suite({ ...judgedSmall, cases: random.int(1, 6) }, org);
      }
      const shutMs = random.chance(0.5) ? 0 : random.int(0, 20_000);
      service.sim.after(shutMs, 'the vault shuts', () => void service.shutFor.add(other.orgId));
      submitSome(scene, 2, 'shut');
    },
    end({ service }) {
      const given = [...service.auditor.runs.values()].filter(({ givesBack }) => givesBack);
      const isCalm = service.settings.faults === NO_FAULTS;
      insist(
        !isCalm || given.length === 0,
        'a key that never opens is no error of its cases, but of the run',
      );
    },
  },
  {
    name: 'keys are tested while everything fails',
    faultyMs: 4 * MINUTE_MS,
    async begin(scene) {
      const { service, clients, random } = scene;
      await service.addOrganisation({ provider: 'openai' });
      for (const org of service.orgs) {
        const rejected = random.chance(0.5);
        await scene.suite({ ...judgedSmall, cases: 2 }, org);
        clients.begin(0, async () => {
          const key = await insistOnKey(scene, { org, rejected });
          if (key === undefined) return;
          let isRevoked = false;
          for (let test = 0; test < 3; test++) {
            clients.begin(random.int(0, 60_000), () => testKey(scene, org, key, () => isRevoked));
          }
          if (random.chance(0.5)) return;
          await service.sim.sleep(random.int(1_000, 30_000));
          isRevoked = true;
          await insistOnRevoking(scene, key, org);
        });
      }
      submitSome(scene, 1, 'tested');
    },
  },
];
