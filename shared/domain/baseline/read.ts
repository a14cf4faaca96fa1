import type { PageQuery } from '../../contracts/base/common.ts';
import type { Baseline } from '../../contracts/baseline/baselines.ts';
import { notFound } from '../errors.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { baselineId } from '../revisions/ids.ts';
import { liveSuiteInForce } from '../suites/access/live.ts';
import { type Chains, type SuiteChain, suiteChain } from '../suites/chains/chains.ts';
import { editSuite } from '../suites/chains/edits.ts';
import { editedSuite } from '../suites/chains/memberEdits.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { withUse } from './notices.ts';
import type { BaselineReader, BaselineRecord } from './ports.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly baselines: BaselineReader;
}

export function shownBaseline(
  suiteId: string,
  { name, previous: _, ordinal: __, anchor: ___, ...record }: BaselineRecord,
): Baseline {
  return { id: baselineId(suiteId, name), suite_id: suiteId, ...record };
}

const nothing = () => notFound('baseline');

export async function currentBaseline(deps: Deps, principal: Principal, suiteId: string): Promise<Baseline> {
  const { head, revision } = await liveSuiteInForce(deps, principal, suiteId, 'result');
  const name = revision.fields.suite.baseline?.current ?? null;
  const chain = suiteChain(principal.orgId, head);
  const record = name === null ? undefined : await deps.baselines.find(chain, name);
  if (record === undefined) throw nothing();
  return withUse(shownBaseline(suiteId, record), revision.fields.suite.gates);
}

/** The last accepted first. */
export async function listBaselines(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  { page, pageSize }: PageQuery,
): Promise<Page<Baseline>> {
  const { head, revision } = await liveSuiteInForce(deps, principal, suiteId, 'result');
  const { baseline } = revision.fields.suite;
  if (baseline === undefined) return { items: [], total: 0 };
  const chain = suiteChain(principal.orgId, head);
  const total = (await deps.baselines.find(chain, baseline.last))?.ordinal ?? 0;
  const from = (page - 1) * pageSize;
  if (from >= total) return { items: [], total };
  const accepted = await lastAccepted(deps, chain, baseline.last, Math.min(from + pageSize, total));
  return { items: accepted.slice(from).map((record) => shownBaseline(suiteId, record)), total };
}

/** What acceptances that died have left is read beside them. */
const LEFT_MIN = 10;

/** Each names the one before it: others were never in force. */
async function lastAccepted(
  { baselines }: Deps,
  chain: SuiteChain,
  last: string,
  count: number,
): Promise<BaselineRecord[]> {
  for (let limit = count + LEFT_MIN; ; limit *= 2) {
    const read = await baselines.newest(chain, limit);
    const byName = new Map(read.map((record) => [record.name, record]));
    const accepted: BaselineRecord[] = [];
    let name: string | null = last;
    for (let next = byName.get(name); next !== undefined && accepted.length < count; ) {
      accepted.push(next);
      name = next.previous;
      next = name === null ? undefined : byName.get(name);
    }
    if (accepted.length === count || name === null || read.length < limit) return accepted;
  }
}

interface RemoveDeps extends Omit<Deps, 'baselines'>, Ambient {
  readonly chains: Chains;
}

/** Runs are compared with none any more. Those that were accepted stay listed. */
export async function removeBaseline(deps: RemoveDeps, principal: Principal, suiteId: string): Promise<void> {
  const { revision: inForce } = await liveSuiteInForce(deps, principal, suiteId, 'full');
  const revision = await editSuite(deps, principal, inForce.fields.suite, async (present) => {
    const { suite } = present.revision.fields;
    const { current = null, last = '' } = suite.baseline ?? {};
    if (current === null) throw nothing();
    const id = baselineId(suite.id, current);
    return editedSuite(present, {
      act: { action: 'removed', target: { type: 'baseline', id } },
      isCounted: false,
      suite: { ...suite, baseline: { current: null, last } },
    });
  });
  if (revision === undefined) throw notFound('suite');
}
