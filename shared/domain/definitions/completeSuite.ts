import type { Principal } from '../principal.ts';
import { editedTooOften, isAt } from '../revisions/position.ts';
import { liveProjectHead } from '../suites/access/live.ts';
import {
  type Chains,
  type CurrentProject,
  type CurrentSuite,
  currentProject,
  currentSuite,
} from '../suites/chains/chains.ts';
import { completeCases, completeScorers } from '../suites/chains/completeMembers.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import type { ProjectHead, StoredScorer, SuiteHead } from '../suites/stored.ts';
import { DEFINITION_BYTES_MAX } from './limits.ts';
import type { CompleteSuite } from './ports.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
}

/** A suite, as it is or as a push is to make it, and its project's scorers. */
export interface SuiteInProject {
  readonly suite: CurrentSuite;
  readonly scorers: CurrentProject;
  readonly project: ProjectHead;
}

interface Heads {
  readonly project: ProjectHead;
  /** Undefined where the project has no such suite. */
  readonly head: SuiteHead | undefined;
}

const TRIES_MAX = 5;

/**
 * Both at one moment. A push moves both heads at once, but no revision comes back: a project's head that is read again
 * unchanged was in force when the suite's was read.
 */
export async function headsNamed(
  deps: Deps,
  principal: Principal,
  { slug, suiteSlug }: { readonly slug: string; readonly suiteSlug: string },
): Promise<Heads> {
  let project = await liveProjectHead(deps, principal, slug, 'result');
  for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
    const head = await deps.suites.head(principal.orgId, suiteSlug, project.id);
    const again = await liveProjectHead(deps, principal, slug, 'result');
    if (again.id === project.id && isAt(again.position, project.position)) return { project, head };
    project = again;
  }
  throw editedTooOften();
}

export async function suiteInProject(
  { chains }: Pick<Deps, 'chains'>,
  { orgId }: Principal,
  { head, project }: Heads & { readonly head: SuiteHead },
): Promise<SuiteInProject> {
  const [suite, scorers] = await Promise.all([
    currentSuite(chains, orgId, head),
    currentProject(chains, orgId, project),
  ]);
  return { suite, scorers, project };
}

/** Of the suite's edits and its project's scorers': each changes what is in force by one. */
export const versionOf = ({ suite, scorers }: SuiteInProject): number =>
  suite.revision.fields.suite.version + scorers.revision.fields.edits;

/** Names what is in force, whatever pushes have been recorded that changed nothing. */
export const editsOf = ({ suite, scorers }: SuiteInProject): string =>
  `${suite.revision.fields.suite.version}.${scorers.revision.fields.edits}`;

/** All of a suite. Undefined where it is too large to be answered. */
export async function completeSuite(stored: SuiteInProject): Promise<CompleteSuite | undefined> {
  const { blocks, fields } = stored.suite.revision;
  if (blocks.reduce((sum, { bytes }) => sum + bytes, 0) > DEFINITION_BYTES_MAX) return undefined;
  const ordered = await stored.suite.ordered();
  const cases = await completeCases(stored.suite, ordered);
  const used = new Set(cases.map(({ scorer_id }) => scorer_id));
  const scorers = await scorersWhere(stored, ({ id }) => used.has(id));
  return {
    suite: fields.suite,
    scorers: new Map(scorers.map((scorer) => [scorer.id, scorer])),
    cases: cases.map((evalCase, index) => {
      const { input_digest = '', expected_digest = '' } = ordered[index]?.member.row ?? {};
      return { ...evalCase, input_digest, expected_digest };
    }),
  };
}

/** Those of the project that fit. */
export async function scorersWhere(
  { scorers, project }: SuiteInProject,
  fits: (scorer: { readonly id: string; readonly key: string }) => boolean,
): Promise<StoredScorer[]> {
  const members = (await scorers.members()).filter(({ row }) => fits(row));
  return completeScorers(scorers, members, project);
}
