import { handler as getDefinition } from '../../functions/definitions/get.ts';
import { handler as pushDefinition } from '../../functions/definitions/put.ts';
import type { Definition } from '../../shared/contracts/definitions.ts';
import { drawCaseRules } from './edits/ruleDraws.ts';
import { direct, type SuiteFixture } from './fixtures.ts';
import { insist } from './insist.ts';
import { auditLeftovers } from './leftovers.ts';
import type { Random } from './random.ts';
import type { Scene } from './scenario.ts';

const paramsOf = ({ org, suite }: SuiteFixture) => ({ slug: org.project.slug, suiteSlug: suite.slug });

const definitionOf = async ({ service }: Scene, suite: SuiteFixture): Promise<Definition> =>
  (await direct(getDefinition.withRuntime(service.direct), { params: paramsOf(suite) }, suite.org.apiKey))
    .data.definition;

type Case = Definition['cases'][number];

/** The suite with some cases changed, some gone, some new, in another order. */
function drawDefinition(random: Random, definition: Definition, label: string, nowMs: number): Definition {
  const some = random.pick([0.02, 0.3, 1]);
  const kept = definition.cases.filter(() => !random.chance(0.1));
  const cases = kept.map(
    (one): Case => (random.chance(some) ? { ...one, threshold: random.pick([0.1, 0.5, 0.9]) } : one),
  );
  const scorers = Object.keys(definition.scorers);
  const made = Array.from({ length: random.int(1, 4) }, (_, index): Case => {
    const rules = { ...drawCaseRules(random, nowMs), advisory: null };
    return {
      key: `${label}-${index}`,
      scorer: random.pick(scorers),
      input: { name: `${label}-${index}` },
      ...rules,
    };
  });
  const all = [...cases, ...made];
  const from = random.int(0, all.length - 1);
  const pass_threshold = random.pick([0.2, 0.5, 0.8]);
  return { ...definition, pass_threshold, cases: [...all.slice(from), ...all.slice(0, from)] };
}

/** Pushes a change of the suite as it is then, again and again until it is answered. */
export function pushAfter(scene: Scene, suite: SuiteFixture, label: string, delayMs: number): void {
  const { service, clients, random } = scene;
  clients.begin(delayMs, async () => {
    const read = await clients.insist(() =>
      service.http('definitions/get', { params: paramsOf(suite) }, suite.org),
    );
    const before: Definition | undefined = read?.body.data?.definition;
    if (before === undefined || before.cases.length === 0) return;
    const definition = drawDefinition(random, before, label, service.sim.now());
    const body = { definition, prune: random.chance(0.5), allow_weaker: true };
    const call = { params: paramsOf(suite), body };
    const answer = await clients.insist(() => service.http('definitions/put', call, suite.org));
    const status = answer?.status ?? 200;
    if (![200, 400].includes(status)) service.sim.violated(`push ${label}: ${JSON.stringify(answer?.body)}`);
  });
}

/** One more push heals whatever died, and the suite is what it says. */
export async function auditPushes(scene: Scene): Promise<void> {
  const { service, random } = scene;
  for (const suite of scene.suites) {
    const { org } = suite;
    const before = await definitionOf(scene, suite);
    if (before.cases.length === 0) continue;
    const definition = drawDefinition(random, before, 'last', service.sim.now());
    const body = { definition, prune: true, allow_weaker: true };
    const push = async () =>
      (
        await direct(
          pushDefinition.withRuntime(service.direct),
          { params: paramsOf(suite), body },
          org.apiKey,
        )
      ).data;
    await push();
    const after = await definitionOf(scene, suite);
    const casesIn = ({ cases }: Definition) =>
      cases.map(({ key, threshold = 0.5 }) => `${key} ${threshold}`).join();
    insist(
      casesIn(after) === casesIn(definition),
      `the last push is ${casesIn(definition)}, the suite ${casesIn(after)}`,
    );
    insist((await push()).applied === false, 'the same push again changes something');
  }
  await auditLeftovers(scene);
}
