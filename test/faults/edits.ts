import { drawEdit } from './bars/ruleDraws.ts';
import type { SuiteFixture } from './fixtures.ts';
import type { Scene } from './scenario.ts';

/** One change of the suite's bar, once: some are refused. */
export function editAfter({ service, clients, random }: Scene, suite: SuiteFixture, delayMs: number): void {
  const edit = drawEdit(random, service.sim.now());
  clients.begin(delayMs, async () => {
    if ('suite' in edit) {
      const params = { slug: suite.org.project.slug, suiteSlug: suite.suite.slug };
      await service.http('suites/update', { params, body: edit.suite }, suite.org);
    } else {
      const params = { caseId: random.pick(suite.caseIds) };
      await service.http('cases/update', { params, body: edit.evalCase }, suite.org);
    }
  });
}
