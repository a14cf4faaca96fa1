import type { Credential } from '../../../contracts/base/credentials.ts';
import type { Ambient, Created } from '../../ports.ts';
import type { Editor } from '../../principal.ts';
import { Current } from '../../revisions/current.ts';
import { ownRevision, Writing } from '../../revisions/edit.ts';
import { newToken } from '../../revisions/ids.ts';
import { emptyRevision } from '../../revisions/ports.ts';
import type { SuiteStore } from '../ports.ts';
import type { ProjectHead, StoredSuite } from '../stored.ts';
import {
  type Chains,
  type CurrentProject,
  type CurrentSuite,
  type EditedProject,
  type EditedSuite,
  projectChain,
  type StoredSuiteRevision,
  suiteChain,
} from './chains.ts';
import { editDeps } from './edits.ts';
import { NO_SUMS } from './members.ts';

interface Deps extends Pick<Ambient, 'now'> {
  readonly suites: Pick<SuiteStore, 'commit' | 'head'>;
  readonly chains: Chains;
}

/** An edit of a suite together with one of its project's scorers. */
export interface RevisionsEdit {
  readonly suite: StoredSuite;
  /** As it was read: nothing has changed since, or nothing is put in force. */
  readonly present: CurrentSuite;
  readonly edited: EditedSuite;
  readonly project: ProjectHead;
  readonly scorers:
    | { readonly present: CurrentProject; readonly edited: EditedProject }
    /** `unchanged`: since the project's head was read. `any`: the suite does not depend on them. */
    | 'unchanged'
    | 'any';
}

const chainOf = (orgId: string, { id, slug, project_id }: StoredSuite) =>
  suiteChain(orgId, { suiteId: id, slug, projectId: project_id });

/** A suite that is to be made. */
export const noSuite = ({ chains }: Pick<Deps, 'chains'>, orgId: string, suite: StoredSuite): CurrentSuite =>
  new Current(chains.cases, chainOf(orgId, suite), emptyRevision({ suite, sums: NO_SUMS }));

/** `changed`: another edit came first, or something is gone, and nothing is in force. */
export async function putRevisions(
  deps: Deps,
  editor: Editor,
  edit: RevisionsEdit,
): Promise<StoredSuiteRevision | Exclude<Created, 'created'> | 'id_taken' | 'changed'> {
  const { suite, present, edited, project, scorers } = edit;
  const { orgId, credential: by } = editor;
  const token = newToken(deps.now());
  const chain = chainOf(orgId, suite);
  const before = present.revision;
  const after = await new Writing(editDeps(deps, deps.chains.cases, by), chain, token).revision(before, {
    ...edited,
    act: { ...edited.act, ...(typeof scorers === 'object' && { scorers: scorers.present.revision.n + 1 }) },
  });
  const outcome = await deps.suites.commit(orgId, {
    suite,
    before: before.n === 0 ? undefined : before,
    after,
    project,
    scorers:
      typeof scorers === 'string'
        ? scorers
        : await scorersAfter(deps, { orgId, project, token, by }, scorers),
  });
  if (outcome === 'created') return after;
  if (outcome !== 'changed' || before.n === 0) return outcome;
  // It was in force before its answer got lost.
  const head = await deps.suites.head(orgId, suite.slug, suite.project_id);
  if (head?.suiteId !== suite.id) return outcome;
  return (await ownRevision(deps.chains.cases, chain, head.position, { token, after: before.n })) ?? outcome;
}

const scorersAfter = (
  deps: Deps,
  { orgId, project, token, by }: { orgId: string; project: ProjectHead; token: string; by: Credential },
  { present, edited }: Exclude<RevisionsEdit['scorers'], string>,
) =>
  new Writing(editDeps(deps, deps.chains.scorers, by), projectChain(orgId, project), token).revision(
    present.revision,
    edited,
  );
