import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/domain/principal.ts';
import { updateScorer } from '../../../shared/domain/suites/scorers.ts';
import { projectStore } from '../../../shared/storage/suites/projects.ts';
import { scorerStore } from '../../../shared/storage/suites/scorers.ts';
import { type OwnTable, startOwnTable } from '../../support/ownService.ts';
import { makeStoredSuite } from '../storage/stored.ts';

let own: OwnTable;
beforeAll(async () => {
  own = await startOwnTable();
});
afterAll(() => own.stop());

const AT = '2026-05-05T10:00:00.000Z';
/** As no service of today takes it: the misspelt field would turn the gate over. */
const CONFIG = { pattern: 'secret', flags: '', should_match: true, shouldMatch: false };

let orgId: string;
let scorerId: string;
beforeEach(async () => {
  const made = await makeStoredSuite(own.table);
  orgId = made.orgId;
  scorerId = randomUUID();
  await scorerStore(own.table).create(orgId, {
    id: scorerId,
    project_id: made.suite.project_id,
    project_slug: made.suite.project_slug,
    key: scorerId,
    name: 'No secrets',
    type: 'regex',
    config: CONFIG,
    dual_sided: false,
    precision_threshold: null,
    recall_threshold: null,
    created_at: AT,
    updated_at: AT,
  });
});

const stored = () => scorerStore(own.table).find(orgId, scorerId);

const principal = (): Principal => ({
  orgId,
  credential: { type: 'api_key', key_id: randomUUID() },
  plan: 'free',
  planVersion: 1,
  retainedFrom: null,
  projectId: null,
  scope: 'full',
  expiresAt: null,
});

const update = (changes: Parameters<typeof updateScorer>[3]) =>
  updateScorer(
    {
      now: Date.now,
      newId: randomUUID,
      projects: projectStore(own.table),
      scorers: scorerStore(own.table),
      checkModel: () => undefined,
    },
    principal(),
    scorerId,
    changes,
  );

test('a stored scorer with an unknown field is read as it is, and takes changes of its other fields', async () => {
  expect((await stored())?.config).toEqual(CONFIG);
  expect(await update({ name: 'Renamed' })).toMatchObject({ name: 'Renamed', config: CONFIG });
  expect(await stored()).toMatchObject({ name: 'Renamed', config: CONFIG });
});

test('a change that needs the config to be validated again is refused with the name of the unknown field', async () => {
  await expect(update({ dual_sided: true })).rejects.toMatchObject({
    details: {
      issues: [{ path: 'config.shouldMatch', message: expect.stringContaining('`should_match`') }],
    },
  });
  expect(await stored()).toMatchObject({ dual_sided: false, config: CONFIG });
});

test('a config without the unknown field makes it whole', async () => {
  const config = { pattern: 'secret', flags: '', should_match: false };
  await update({ config });
  expect(await stored()).toMatchObject({ config });
});
