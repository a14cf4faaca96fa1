import { randomUUID } from 'node:crypto';
import type { StoredSuite } from '../../../shared/domain/ports.ts';
import { projectStore } from '../../../shared/storage/projects.ts';
import { suiteStore } from '../../../shared/storage/suites.ts';
import type { Table } from '../../../shared/storage/table.ts';

const AT = '2026-05-05T10:00:00.000Z';

/** A suite in a project of an organisation of its own, as the stores make it. */
export async function makeStoredSuite(table: Table): Promise<{ orgId: string; suite: StoredSuite }> {
  const orgId = randomUUID();
  const common = { description: null, created_at: AT, updated_at: AT };
  const project = { id: randomUUID(), org_id: orgId, name: 'Bot', slug: 'bot', ...common };
  const suite: StoredSuite = {
    id: randomUUID(),
    project_id: project.id,
    project_slug: 'bot',
    name: 'Answers',
    slug: 'answers',
    pass_threshold: 1,
    ...common,
  };
  const outcomes = [
    await projectStore(table).create(project),
    await suiteStore(table).create(orgId, { suite, scorers: [], cases: [] }),
  ];
  if (outcomes.some((outcome) => outcome !== 'created')) throw new Error(`making a suite: ${outcomes}`);
  return { orgId, suite };
}
