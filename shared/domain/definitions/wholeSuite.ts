import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { ProjectStore, StoredSuite, SuiteStore } from '../suites/ports.ts';
import { type ResolvedSuite, revisionOf } from '../suites/resolveSuite.ts';
import { headsOf } from '../suites/revision.ts';
import type { DefinitionStore, WholeSuite } from './ports.ts';

interface Deps {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly definitions: DefinitionStore;
}

export interface SuiteAt {
  readonly whole: WholeSuite | 'too_large';
  readonly at: ResolvedSuite;
}

const LOADS_MAX = 5;

/** All of a suite, as it was at one revision. */
export async function wholeSuite(deps: Deps, principal: Principal, suite: StoredSuite): Promise<SuiteAt> {
  for (let load = 1; ; load++) {
    const at = await headsOf(deps, principal, suite);
    const whole = await deps.definitions.read(principal.orgId, suite.id, at.head);
    if (whole === undefined) throw notFound('suite');
    if (whole === 'too_large') return { whole, at };
    const isSame = revisionOf(await headsOf(deps, principal, suite)) === revisionOf(at);
    // Under constant editing, each case as it was when it was read, with a version that has passed already.
    if (isSame || load === LOADS_MAX) return { whole, at };
  }
}

/** Both counters only grow, so that their sum says which state of the suite was read. */
export const versionOf = ({ head, project }: ResolvedSuite): number =>
  head.revision + project.scorersRevision;
