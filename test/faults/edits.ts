import { drawEdit } from './edits/ruleDraws.ts';
import type { SuiteFixture } from './fixtures.ts';
import type { EndpointId } from './functions.ts';
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

/** A case is made or deleted, or all are put into another order, once: some are refused. The suite has at most 100 cases. */
export function editListAfter(scene: Scene, { suite, org }: SuiteFixture, delayMs: number): void {
  const { service, clients, random } = scene;
  const params = { suiteId: suite.id };
  clients.begin(delayMs, async () => {
    const listed = await service.http('cases/list', { params, query: { pageSize: '100' } }, org);
    const ids: string[] = (listed?.body.data ?? []).map(({ id }: { id: string }) => id);
    if (ids.length === 0) return;
    const name = `by hand ${random.int(0, 3)}`;
    const [id, call] = random.pick<[EndpointId, object]>([
      ['cases/reorder', { params, body: { case_ids: ids.toReversed() } }],
      ['cases/delete', { params: { caseId: random.pick(ids) } }],
      ['cases/create', { params, body: { name, input: {}, scorer_id: org.scorers.says } }],
    ]);
    const { status = 404, body } = (await service.http(id, call, org)) ?? {};
    const isExpected = [200, 201, 204, 400, 404].includes(status) || status >= 500;
    if (!isExpected) service.sim.violated(`${id} was answered ${status} ${JSON.stringify(body)}`);
  });
}
