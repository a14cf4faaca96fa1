import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { putDefinition } from '../../../../shared/contracts/definitionPushes.ts';
import { pushDefinition } from '../../../../shared/domain/definitions/push.ts';
import { AppError } from '../../../../shared/domain/errors.ts';
import type { Principal } from '../../../../shared/domain/principal.ts';
import { createJudgeIdentity } from '../../../../shared/judge/judgeIdentity.ts';
import { defaultModelsFromEnv } from '../../../../shared/judge/models.ts';
import { chainStore } from '../../../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { makeWorld } from '../../../functions/definitions/world.ts';
import { interleaved } from '../../../support/interleaved.ts';
import type { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { sized } from '../../../support/soak.ts';

/** A job of the repository that pushes the suite. */
const jobOf = (orgId: string, runId: string): Principal => ({
  orgId,
  plan: 'free',
  planVersion: 1,
  retainedFrom: null,
  projectId: null,
  scope: 'suites',
  expiresAt: null,
  credential: {
    type: 'github_actions',
    registration_id: randomUUID(),
    repository: 'octo/bot',
    actor: 'octo',
    repository_id: '7',
    repository_owner_id: '9',
    ref: 'refs/heads/main',
    workflow: 'push.yml',
    run_id: runId,
    label: 'octo/bot, push.yml',
  },
});

const digestOfSuite = (pass_threshold: number) =>
  putDefinition.body.parse({
    definition: {
      version: 1,
      suite: 'returns',
      pass_threshold,
      scorers: { says: { type: 'contains', config: { values: ['x'] } } },
      cases: [{ key: 'a', scorer: 'says', input: {} }],
    },
    allow_weaker: true,
  });

async function push(table: Table, principal: Principal, pass_threshold: number): Promise<string> {
  const deps = {
    chains: chainStore(table),
    projects: projectStore(table),

    suites: suiteStore(table),
    judgeIdentity: createJudgeIdentity(defaultModelsFromEnv({})),
    checkModel: async () => undefined,
    now: Date.now,
    newId: randomUUID,
    log: () => {},
  };
  const path = { slug: 'bot', suiteSlug: 'returns' };
  return pushDefinition(deps as never, principal, path, digestOfSuite(pass_threshold)).then(
    ({ applied }) => (applied ? 'applied' : 'nothing to change'),
    (error) => {
      if (error instanceof AppError) return error.code;
      throw error;
    },
  );
}

/** The newer job begins after so many operations of the older one at most. */
const OPERATIONS_MAX = 30;

test('an older job never has the last word beside a newer one, also where the newer one finds nothing to change', async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(OPERATIONS_MAX), async (scheduler, headStart) => {
      const { runtime, orgId } = await makeWorld();
      const table = runtime.table as MemoryTable;
      expect(await push(table, jobOf(orgId, '8'), 0.9)).toBe('applied');
      let operations = 0;
      const begun = Promise.withResolvers<void>();
      const ofOlder = interleaved(table, scheduler, () => {
        if (++operations > headStart) begun.resolve();
      });
      const both = Promise.all([
        begun.promise.then(() => push(interleaved(table, scheduler), jobOf(orgId, '10'), 0.9)),
        push(ofOlder, jobOf(orgId, '9'), 0.2).finally(begun.resolve),
      ]);
      await scheduler.waitFor(both);
      const [newer, older] = await both;
      met.add(`${newer}, ${older}`);
      expect(['applied', 'nothing to change']).toContain(newer);
      expect(['applied', 'STALE_PUSH', 'VERSION_CONFLICT']).toContain(older);
      expect(await push(table, jobOf(orgId, '10'), 0.9)).toBe('nothing to change');
      expect(await push(table, jobOf(orgId, '9'), 0.2)).toBe('STALE_PUSH');
    }),
    { numRuns: sized(80, 200) },
  );
  expect([...met].toSorted()).toEqual(
    expect.arrayContaining(['applied, applied', 'nothing to change, STALE_PUSH']),
  );
});
