import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeScorer } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { firstOf } from '../../support/soak.ts';
import { fillSuite } from './filled.ts';
import { makeGate, resultsOf } from './gate.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

/** Three chunks, and as many cases as a suite has. */
test.each(firstOf(1, [1_100, 10_000]))(
  'a suite of %d cases runs, lists and shows all of its results in order',
  async (count) => {
    const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
    const scorer = await makeScorer(gate.client, gate.project);
    const ids = await fillSuite(service.table, gate, count, (index) => ({
      name: `Case ${index}`,
      scorer_id: scorer.id,
      expected: index % 2 === 0 ? 'even' : 'odd',
    }));

    const verdict = await gate.run('even');
    expect(verdict).toMatchObject({
      status: 'cleared',
      total_cases: count,
      passed_cases: count / 2,
      pass_rate: 0.5,
    });
    expect(verdict.scores.map((score) => score.case)).toEqual(ids.map((_, index) => `Case ${index}`));
    expect(verdict.failures.map(({ case_id }) => case_id)).toEqual(ids.filter((_, index) => index % 2 === 1));

    const results = await resultsOf(gate.client, verdict.id);
    expect(results.map(({ case_id }) => case_id)).toEqual(ids);
    expect(results.every(({ passed }, index) => passed === (index % 2 === 0))).toBe(true);
    expect(new Set(results.map(({ id }) => id)).size).toBe(count);

    const cases = `/v1/suites/${gate.suite.id}/cases`;
    const last = await gate.client('GET', `${cases}?pageSize=100&page=${count / 100}`);
    expect(last.body.pagination).toMatchObject({ total: count, hasMore: false });
    expect(last.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(-100));
    expect(last.body.data.at(-1)).toMatchObject({ name: `Case ${count - 1}`, sort_order: count - 1 });

    const reordered = await gate.client('POST', `${cases}/reorder`, { case_ids: ids.toReversed() });
    expect(reordered.status).toBe(200);
    const again = await gate.run('odd');
    expect(again.scores[0]?.case).toBe(`Case ${count - 1}`);
    expect((await resultsOf(gate.client, again.id)).map(({ case_id }) => case_id)).toEqual(ids.toReversed());
  },
);
