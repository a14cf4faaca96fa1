import type { Credential } from '../../../contracts/base/credentials.ts';
import type { Ambient } from '../../ports.ts';
import type { Editor } from '../../principal.ts';
import { type Edit, type EditDeps, editChain } from '../../revisions/edit.ts';
import { newToken } from '../../revisions/ids.ts';
import type { RevisionStore } from '../../revisions/ports.ts';
import type { ProjectHead, StoredSuite } from '../stored.ts';
import {
  type Chains,
  projectChain,
  type StoredProjectRevision,
  type StoredSuiteRevision,
  suiteChain,
} from './chains.ts';
import type { CaseRow, CaseTexts, ProjectFields, ScorerRow, ScorerTexts, SuiteFields } from './members.ts';

interface Deps extends Pick<Ambient, 'now'> {
  readonly chains: Chains;
}

export const editDeps = <Row, Texts, Fields>(
  { chains: { backoff }, now }: Deps,
  store: RevisionStore<Row, Texts, Fields>,
  by: Credential | null,
): EditDeps<Row, Texts, Fields> => ({ store, by, backoff, now, newToken: () => newToken(now()) });

export const editSuite = (
  deps: Deps,
  editor: Editor,
  { id, slug, project_id }: StoredSuite,
  edit: Edit<CaseRow, CaseTexts, SuiteFields>,
): Promise<StoredSuiteRevision | undefined> =>
  editChain(
    editDeps(deps, deps.chains.cases, editor.credential),
    suiteChain(editor.orgId, { suiteId: id, slug, projectId: project_id }),
    edit,
  );

export const editProject = (
  deps: Deps,
  editor: Editor,
  project: Pick<ProjectHead, 'id' | 'slug'>,
  edit: Edit<ScorerRow, ScorerTexts, ProjectFields>,
): Promise<StoredProjectRevision | undefined> =>
  editChain(
    editDeps(deps, deps.chains.scorers, editor.credential),
    projectChain(editor.orgId, project),
    edit,
  );
