import type { SuiteFixture } from './fixtures.ts';
import type { EndpointId } from './functions.ts';
import { insist } from './insist.ts';
import { drawFaults, type Scenario, type Scene } from './scenario.ts';

/** Few, so that they meet; or one that is made from the name. */
const anyKey = ({ random }: Scene) => (random.chance(0.25) ? undefined : random.pick(['a', 'b', 'c']));

/** What was made so far: their ids. */
interface Made {
  readonly cases: string[];
  readonly scorers: string[];
}

async function ask({ service }: Scene, id: EndpointId, call: Parameters<typeof service.http>[1]) {
  const answer = await service.http(id, call);
  if (answer === undefined || answer.status >= 500) return undefined;
  const { status, body } = answer;
  const isTaken =
    status === 400 && body.error.details.issues.every(({ path }: { path: string }) => path === 'key');
  insist(
    [200, 201, 204, 404].includes(status) || isTaken,
    `${id} was answered ${status} ${JSON.stringify(body)}`,
  );
  return status < 300 ? body?.data : undefined;
}

async function editCases(scene: Scene, { suite, org }: SuiteFixture, { cases }: Made): Promise<void> {
  const { random } = scene;
  const caseId = random.pick(cases);
  const key = anyKey(scene);
  if (random.chance(0.5)) {
    const body = { name: random.pick(['One', 'Two']), input: {}, scorer_id: org.scorers.says, key };
    const made = await ask(scene, 'cases/create', { params: { suiteId: suite.id }, body });
    if (made !== undefined) cases.push(made.id);
  } else if (random.chance(0.6)) {
    await ask(scene, 'cases/update', { params: { caseId }, body: { key } });
  } else {
    await ask(scene, 'cases/delete', { params: { caseId } });
  }
}

async function editScorers(scene: Scene, { org }: SuiteFixture, { scorers }: Made): Promise<void> {
  const { random } = scene;
  const { slug } = org.project;
  const key = anyKey(scene);
  const scorerId = scorers.length === 0 ? undefined : random.pick(scorers);
  if (scorerId === undefined || random.chance(0.4)) {
    const body = { name: random.pick(['One', 'Two']), type: 'exact_match', config: {}, key };
    const made = await ask(scene, 'scorers/create', { params: { slug }, body });
    if (made !== undefined) scorers.push(made.id);
  } else if (random.chance(0.6)) {
    await ask(scene, 'scorers/update', { params: { scorerId }, body: { key } });
  } else {
    await ask(scene, 'scorers/delete', { params: { scorerId } });
  }
}

const copyTemplate = (scene: Scene, { org }: SuiteFixture) =>
  ask(scene, 'suites/createFromTemplate', {
    params: { slug: org.project.slug },
    body: { template_slug: 'code-review' },
  });

/** Scenarios of the keys of cases and scorers. */
export const heldKeyScenarios: readonly Scenario[] = [
  {
    name: 'cases and scorers are made, changed and deleted, and all want the same keys',
    edited: true,
    settings: (random) => ({ faults: { ...drawFaults(random), ambiguous: random.pick([0, 0.03, 0.1]) } }),
    async begin(scene) {
      const { clients, random } = scene;
      const suite = await scene.suite({ name: 'Keyed', cases: random.int(2, 5), isJudged: () => false });
      const made: Made = { cases: [...suite.caseIds], scorers: [] };
      clients.submit(random.int(500, 6_000), { suite, label: 'keyed', async: random.chance(0.5) });
      for (let edit = 0; edit < 16; edit++) {
        const act = random.pick([editCases, editCases, editScorers]);
        clients.begin(random.int(0, 6_000), () => act(scene, suite, made));
      }
      for (let copy = 0; copy < random.int(0, 2); copy++) {
        clients.begin(random.int(0, 6_000), async () => void (await copyTemplate(scene, suite)));
      }
    },
  },
];
