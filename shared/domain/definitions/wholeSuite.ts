import type { Principal } from '../principal.ts';
import { editedTooOften } from '../revisions/edit.ts';
import {
  type Chains,
  type PresentProject,
  type PresentSuite,
  presentProject,
  presentSuite,
} from '../suites/chains/chains.ts';
import { wholeCases, wholeScorers } from '../suites/chains/memberEdits.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { headsOf, type ResolvedSuite } from '../suites/resolveSuite.ts';
import type { ProjectHead, StoredScorer, StoredSuite } from '../suites/stored.ts';
import { DEFINITION_BYTES_MAX } from './limits.ts';
import type { WholeSuite } from './ports.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
}

/** A suite, as it is or as a push is to make it, and its project's scorers. */
export interface Bar {
  readonly suite: PresentSuite;
  readonly scorers: PresentProject;
  readonly project: ProjectHead;
}

const LOADS_MAX = 5;

/** Both at one moment: the suite has not changed while the project's head was read. */
export async function barOf(deps: Deps, principal: Principal, suite: StoredSuite): Promise<Bar> {
  let at = await headsOf(deps, principal, suite);
  for (let load = 1; load <= LOADS_MAX; load++) {
    const again: ResolvedSuite = await headsOf(deps, principal, suite);
    if (again.head.position.token === at.head.position.token) return barAt(deps, principal.orgId, again);
    at = again;
  }
  throw editedTooOften();
}

async function barAt({ chains }: Deps, orgId: string, { head, project }: ResolvedSuite): Promise<Bar> {
  const [suite, scorers] = await Promise.all([
    presentSuite(chains, orgId, head),
    presentProject(chains, orgId, project),
  ]);
  return { suite, scorers, project };
}

/** Of the suite's edits and its project's scorers': each changes what is in force by one. */
export const versionOf = ({ suite, scorers }: Bar): number =>
  suite.revision.fields.suite.version + scorers.revision.fields.edits;

/** Names what is in force, whatever pushes have been recorded that changed nothing. */
export const editsOf = ({ suite, scorers }: Bar): string =>
  `${suite.revision.fields.suite.version}.${scorers.revision.fields.edits}`;

/** All of a suite. Undefined where it is too large to be answered. */
export async function wholeSuite(bar: Bar): Promise<WholeSuite | undefined> {
  const { blocks, fields } = bar.suite.revision;
  if (blocks.reduce((sum, { bytes }) => sum + bytes, 0) > DEFINITION_BYTES_MAX) return undefined;
  const ordered = await bar.suite.ordered();
  const cases = await wholeCases(bar.suite, ordered);
  const used = new Set(cases.map(({ scorer_id }) => scorer_id));
  const scorers = await scorersWhere(bar, ({ id }) => used.has(id));
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
  { scorers, project }: Bar,
  fits: (scorer: { readonly id: string; readonly key: string }) => boolean,
): Promise<StoredScorer[]> {
  const members = (await scorers.members()).filter(({ row }) => fits(row));
  return wholeScorers(scorers, members, project);
}
