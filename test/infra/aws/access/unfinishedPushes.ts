import { beforeEach, expect, test } from '@jest/globals';
import { WORKERS } from '../../../../infra/aws/functions.ts';
import { type Gate, makeGate } from '../../../functions/runs/gate.ts';
import { isUnfinished, leaveUnfinished } from '../../../support/unfinishedPush.ts';
import type { Cloud } from '../cloud/cloud.ts';

/** Each function that may find a push whose function died finishes it, and has the rights for it on AWS. */
export function unfinishedPushes(cloud: Cloud): void {
  let gate: Gate;
  let scorerId: string;
  let caseId: string;
  beforeEach(async () => {
    gate = await makeGate(cloud.baseUrl, { name: 'Gate', slug: 'gate' });
    ({ id: caseId, scorer_id: scorerId } = await gate.add({ expected: 'yes' }));
    await leaveUnfinished(cloud.table, gate);
  });

  const inProject = (rest = '') => `/v1/projects/${gate.project.slug}${rest}`;
  const exact = { name: 'Exact', type: 'exact_match', config: {} };

  test.each<[string, string, () => string, () => object | undefined]>([
    ['projects/delete', 'DELETE', () => inProject(), () => undefined],
    [
      'suites/createFromTemplate',
      'POST',
      () => inProject('/suites/from-template'),
      () => ({ template_slug: 'code-review' }),
    ],
    ['suites/update', 'PATCH', () => inProject('/suites/gate'), () => ({ name: 'Renamed' })],
    ['suites/delete', 'DELETE', () => inProject('/suites/gate'), () => undefined],
    [
      'definitions/put',
      'PUT',
      () => inProject('/suites/gate/definition'),
      () => ({ definition: { version: 1, suite: 'gate' } }),
    ],
    [
      'cases/create',
      'POST',
      () => `/v1/suites/${gate.suite.id}/cases`,
      () => ({ name: 'n', scorer_id: scorerId, input: {} }),
    ],
    ['cases/update', 'PATCH', () => `/v1/cases/${caseId}`, () => ({ weight: 2 })],
    ['cases/delete', 'DELETE', () => `/v1/cases/${caseId}`, () => undefined],
    [
      'cases/reorder',
      'POST',
      () => `/v1/suites/${gate.suite.id}/cases/reorder`,
      () => ({ case_ids: [caseId] }),
    ],
    ['scorers/create', 'POST', () => inProject('/scorers'), () => exact],
    ['scorers/update', 'PATCH', () => `/v1/scorers/${scorerId}`, () => ({ name: 'Renamed' })],
    ['scorers/delete', 'DELETE', () => `/v1/scorers/${scorerId}`, () => undefined],
  ])('%s writes out a push that has died', async (_, method, path, body) => {
    const { status } = await gate.client(method, path(), body());
    expect(status).toBeLessThan(300);
    expect(await isUnfinished(cloud.table, gate)).toBe(false);
  });

  test('the purge writes out a push that no other function has finished', async () => {
    await cloud.tick(WORKERS.purge);
    expect(await isUnfinished(cloud.table, gate)).toBe(false);
  });
}
