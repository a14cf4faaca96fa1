import type { Principal } from '../principal.ts';
import { type Chains, currentProject } from '../suites/chains/chains.ts';
import { noSuite } from '../suites/chains/putRevisions.ts';
import { formerSuite, inheritedFrom } from '../suites/formerSuite.ts';
import type { DeletedSuite, ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { ProjectHead, StoredSuite, SuiteHead } from '../suites/stored.ts';
import { timestamp } from '../time.ts';
import { completeSuite, type SuiteInProject, scorersWhere, suiteInProject } from './completeSuite.ts';
import { definitionOf } from './normalizeDefinition.ts';
import type { CompleteDefinition } from './plan/types.ts';
import { tooLarge } from './read.ts';
import type { Current } from './suiteAfterPush.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
  readonly now: () => number;
  readonly newId: () => string;
}

export interface SuiteState {
  readonly stored: SuiteInProject;
  readonly present: Current;
  /** What it says, with all of these scorers. */
  readonly before: CompleteDefinition;
  /** The suite that a first push takes the place of. */
  readonly former?: { readonly deleted: DeletedSuite; readonly before: CompleteDefinition };
}

/** The suite as it is, or one that a push is to make. */
export async function suiteToPush(
  deps: Deps,
  principal: Principal,
  { head, project, slug }: { head: SuiteHead | undefined; project: ProjectHead; slug: string },
): Promise<SuiteInProject> {
  if (head !== undefined) return suiteInProject(deps, principal, { head, project });
  const { orgId } = principal;
  const scorers = await currentProject(deps.chains, orgId, project);
  return { suite: noSuite(deps, orgId, emptySuite(deps, project, slug)), scorers, project };
}

export const isNewSuite = ({ suite }: SuiteInProject): boolean => suite.revision.n === 0;

/** With those scorers of its project that a definition names. */
export async function currentSuite(stored: SuiteInProject, keys: readonly string[]): Promise<SuiteState> {
  const complete = await completeSuite(stored);
  if (complete === undefined) throw tooLarge();
  const requested = new Set(keys);
  const named = await scorersWhere(stored, ({ key }) => requested.has(key));
  const byKey = new Map([...complete.scorers.values(), ...named].map((scorer) => [scorer.key, scorer]));
  const known = new Map([...byKey.values()].map((scorer) => [scorer.id, scorer]));
  const before = definitionOf({ ...complete, scorers: known });
  return { stored, present: { ...complete, byKey }, before };
}

/** A suite that gets its first cases is compared with the one that had its slug. */
export async function withFormer(
  deps: Deps,
  principal: Principal,
  state: SuiteState,
  keys: readonly string[],
): Promise<SuiteState> {
  const { stored, present } = state;
  const { id: projectId } = stored.project;
  const place = { slug: present.suite.slug, projectId };
  const former = await formerSuite(deps, principal.orgId, place);
  if (former === undefined) return state;
  const { deleted } = former;
  const formerProject = { ...stored.project, position: deleted.scorers };
  const scorers = await currentProject(deps.chains, principal.orgId, formerProject);
  const { before } = await currentSuite({ ...stored, suite: former.present, scorers }, keys);
  const inherited = isNewSuite(stored) ? inheritedFrom(former, principal) : {};
  return {
    ...state,
    present: { ...present, suite: { ...present.suite, ...inherited } },
    former: { deleted, before },
  };
}

function emptySuite(
  { now, newId }: Pick<Deps, 'now' | 'newId'>,
  project: ProjectHead,
  slug: string,
): StoredSuite {
  const createdAt = timestamp(now());
  return {
    id: newId(),
    project_id: project.id,
    project_slug: project.slug,
    slug,
    name: slug,
    description: null,
    pass_threshold: 1,
    gates: {},
    keep_outputs: 'failed',
    show_expected: false,
    show_inputs: true,
    show_results: true,
    version: 0,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
