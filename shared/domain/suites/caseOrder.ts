import type { EvalCase } from '../../contracts/cases.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { liveSuite } from './access/live.ts';
import { requireMayWrite } from './access/writes.ts';
import type { Chains, CurrentSuite } from './chains/chains.ts';
import { completeCases } from './chains/completeMembers.ts';
import { editSuite } from './chains/edits.ts';
import { editedSuite } from './chains/memberEdits.ts';
import { type ExpectedVersion, requireVersion } from './chains/versions.ts';
import type { ProjectReader, ReorderedCase, SuiteReader } from './ports.ts';
import type { StoredSuite } from './stored.ts';

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
}

interface Requested {
  readonly case_ids: readonly string[];
  /** Of the suite. */
  readonly expected_version?: ExpectedVersion;
}

/** The named cases first, in the given order, then the inactive cases that were left out, in their present order. */
export function newOrder(
  current: readonly Pick<EvalCase, 'id' | 'is_active'>[],
  requested: readonly string[],
): string[] {
  const known = new Set(current.map((evalCase) => evalCase.id));
  const named = new Set(requested);
  if (requested.some((id) => !known.has(id))) throw notFound('case');
  if (named.size < requested.length) throw invalidField('case_ids', 'names a case twice');
  const leftOut = current.filter((evalCase) => !named.has(evalCase.id));
  const active = leftOut.filter((evalCase) => evalCase.is_active).length;
  if (active > 0) {
    throw invalidField('case_ids', `must name every active case of the suite: ${active} are left out`);
  }
  return [...requested, ...leftOut.map((evalCase) => evalCase.id)];
}

export async function reorderCases(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  { case_ids: caseIds, expected_version }: Requested,
): Promise<ReorderedCase[]> {
  const suite = await liveSuite(deps, principal, suiteId);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  let reordered: (() => Promise<ReorderedCase[]>) | undefined;
  const revision = await editSuite(deps, principal, suite, async (present) => {
    requireVersion('suite', present.revision.fields.suite, expected_version);
    const current = await present.ordered();
    const byId = new Map(current.map(({ member }) => [member.row.id, member]));
    const ids = newOrder(
      current.map(({ member }) => member.row),
      caseIds,
    );
    const members = ids.flatMap((id) => byId.get(id) ?? []);
    const ordered = members.map((member, position) => ({ member, position }));
    reordered = () => reorderedCases(present, suite, ordered);
    const act = { action: 'reordered', target: { type: 'suite' } } as const;
    return editedSuite(present, { act, order: members.map(({ number }) => number) });
  });
  if (revision === undefined || reordered === undefined) throw notFound('suite');
  return reordered();
}

/** An answer holds 6 MB. */
const ANSWERED_BYTES_MAX = 5 * 1_024 * 1_024;

/** With their texts if the answer can hold them. */
async function reorderedCases(
  present: CurrentSuite,
  { id: suite_id }: StoredSuite,
  ordered: Awaited<ReturnType<CurrentSuite['ordered']>>,
): Promise<ReorderedCase[]> {
  const plain = ordered.map(({ member: { row }, position }) => {
    const { input_digest: _, expected_digest: __, ...shown } = row;
    return { ...shown, suite_id, sort_order: position };
  });
  const texts = ordered.reduce((sum, { member }) => sum + member.bytes, 0);
  const bytes = Buffer.byteLength(JSON.stringify(plain)) + texts;
  return bytes > ANSWERED_BYTES_MAX ? plain : completeCases(present, ordered);
}
