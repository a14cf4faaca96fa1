import { purgeAll } from '../../shared/domain/purge/purge.ts';
import { projectChain, suiteChain } from '../../shared/domain/suites/chains/chains.ts';
import { DAY_MS } from '../../shared/domain/time.ts';
import { purgeStore } from '../../shared/storage/purge/purges.ts';
import { textsStore } from '../../shared/storage/purge/textsStore.ts';
import { keysOf } from '../../shared/storage/revisions/revisions.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import { KEPT_ORGANISATIONS } from '../support/keptOrganisations.ts';
import { insist } from './insist.ts';
import type { Scene } from './scenario.ts';

type AnyChain = ReturnType<typeof suiteChain> | ReturnType<typeof projectChain>;

/** After a purge days later nothing is left of edits that died, or met another one, and all that counts is there. */
export async function auditLeftovers({ service, suites }: Scene): Promise<void> {
  const { sim, table } = service;
  const purges = purgeStore(table);
  const now = () => sim.now() + 3 * DAY_MS;
  const onFailure = (error: unknown) => {
    throw error;
  };
  await purgeAll({ purges, now, retentionDays: async () => 365, onFailure, ...KEPT_ORGANISATIONS });
  for (const { org, suite } of suites) {
    const { orgId, project } = org;
    const ofSuite = { suiteId: suite.id, slug: suite.slug, projectId: project.id };
    for (const chain of [suiteChain(orgId, ofSuite), projectChain(orgId, project)])
      await auditChain(table, chain);
  }
}

async function auditChain(table: Table, chain: AnyChain): Promise<void> {
  const store = textsStore(table);
  const head = await store.position(chain);
  if (head === undefined || head.n === 0) return;
  const names = new Set<string>();
  let token: string | null = head.token;
  for (let n = head.n; n > 0; n--) {
    const revision = await store.revision(chain, { n, token: token ?? '' });
    insist(revision !== undefined, `revision ${n} of the ${chain.kind} is gone`);
    names.add(revision.token);
    for (const { rows, texts } of revision.blocks) names.add(rows).add(texts);
    token = revision.previous;
  }
  const { partition: pk } = keysOf(chain);
  const items = await table.query({ pk, between: ['BASELINE', 'TEXTS$'] });
  const there = items
    .map(({ sk }) => String(sk))
    .filter((sk) => /^(BASELINE|BASELINECASES|REVISION|ROWS|TEXTS)#/.test(sk));
  const nameOf = (sk: string) => sk.split('#')[sk.startsWith('REVISION#') ? 2 : 1] ?? '';
  const lost = there.filter((sk) => !names.has(nameOf(sk)));
  insist(lost.length === 0, `after a purge there are leftovers: ${lost.join()}`);
}
