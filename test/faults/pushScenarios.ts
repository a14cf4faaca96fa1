import { editAfter, editListAfter } from './edits.ts';
import { auditPushes, pushAfter } from './pushes.ts';
import { judgedSmall } from './runScenarios.ts';
import { drawFaults, type Scenario } from './scenario.ts';
import { storeKey } from './storedKeys.ts';

/** Definitions that are pushed while runs are made and cases edited: a run meets the bar before a push or after it. */
export const pushScenarios: readonly Scenario[] = [
  {
    name: 'a small suite is pushed under its runs',
    edited: true,
    async begin(scene) {
      const { clients, random } = scene;
      storeKey(scene);
      const suite = await scene.suite({ ...judgedSmall, cases: random.int(2, 25) });
      for (let run = 0; run < 3; run++) {
        clients.submit(random.int(500, 4_000), { suite, label: `pushed${run}`, async: random.chance(0.5) });
      }
      for (let push = 0; push < 3; push++) pushAfter(scene, suite, `push${push}`, random.int(0, 6_000));
    },
    end: auditPushes,
  },
  {
    name: 'a large suite is pushed and edited while its runs are planned',
    edited: true,
    isLarge: true,
    settings: (random) => ({ faults: { ...drawFaults(random), slow: 0.2 } }),
    async begin(scene) {
      const { clients, random } = scene;
      const shape = { name: 'Large', isJudged: () => false, isBad: (index: number) => index % 3 === 2 };
      const suite = await scene.suite({ ...shape, cases: random.int(180, 420) });
      for (let run = 0; run < 4; run++) {
        clients.submit(random.int(0, 6_000), { suite, label: `large${run}`, async: random.chance(0.5) });
      }
      for (let push = 0; push < 2; push++) pushAfter(scene, suite, `push${push}`, random.int(0, 5_000));
      for (let edit = 0; edit < 2; edit++) editAfter(scene, suite, random.int(0, 6_000));
    },
    end: auditPushes,
  },
  {
    name: 'a suite is pushed, and its cases are made, deleted and put into another order',
    edited: true,
    async begin(scene) {
      const { clients, random } = scene;
      const shape = { name: 'Listed', isJudged: () => false, isBad: (index: number) => index % 3 === 2 };
      const suite = await scene.suite({ ...shape, cases: random.int(2, 25) });
      for (let run = 0; run < 2; run++) {
        clients.submit(random.int(0, 6_000), { suite, label: `listed${run}`, async: random.chance(0.5) });
      }
      for (let push = 0; push < 3; push++) pushAfter(scene, suite, `push${push}`, random.int(0, 6_000));
      for (let edit = 0; edit < 5; edit++) editListAfter(scene, suite, random.int(0, 6_000));
    },
    end: auditPushes,
  },
];
