import type { PageQuery } from '../../contracts/base/common.ts';
import type { Suite } from '../../contracts/suites.ts';
import { liveProjectHead, liveSuiteBySlug } from '../access.ts';
import { notFound } from '../errors.ts';
import { patched } from '../patch.ts';
import type { Ambient, Created, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';
import { requireMayWrite } from './barWrites.ts';
import type { ProjectHead, ProjectStore, StoredSuite, SuiteStore, SuiteWithContents } from './ports.ts';
import { createUnderSlug } from './slugs.ts';

export type SuiteDeps = Ambient & { projects: ProjectStore; suites: SuiteStore };

interface NewSuite {
  readonly name: string;
  /** A generated slug is made from this, or from the name. */
  readonly slugFrom?: string | undefined;
  readonly slug?: string | undefined;
  readonly description: string | null;
  readonly pass_threshold: number;
  readonly gates?: Suite['gates'] | undefined;
  readonly keep_outputs?: Suite['keep_outputs'] | undefined;
  readonly show_expected?: boolean | undefined;
  /** Makes the suite's first scorers and cases, which are stored in the same transaction. */
  readonly contents?: (suite: StoredSuite) => Promise<Omit<SuiteWithContents, 'suite'>>;
}

const EMPTY = { scorers: [], cases: [] };
const TRIES = 10;

/** Suites that are made at the same time may take the keys that the scorers of this one were to have. */
async function storeSuite(
  suites: SuiteStore,
  orgId: string,
  suite: StoredSuite,
  contents: NewSuite['contents'],
): Promise<Created> {
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = await suites.create(orgId, { suite, ...((await contents?.(suite)) ?? EMPTY) });
    if (outcome !== 'key_taken') return outcome;
  }
  throw new Error(`The scorers of "${suite.name}" find no free keys`);
}

export async function createSuiteIn(
  { suites, now, newId }: SuiteDeps,
  principal: Principal,
  project: ProjectHead,
  wanted: NewSuite,
): Promise<Suite> {
  const slugged = { slug: wanted.slug, name: wanted.slugFrom ?? wanted.name, newId };
  return createUnderSlug('suite', slugged, async (slug) => {
    const at = timestamp(now());
    const created: StoredSuite = {
      id: newId(),
      project_id: project.id,
      project_slug: project.slug,
      name: wanted.name,
      slug,
      description: wanted.description,
      pass_threshold: wanted.pass_threshold,
      gates: wanted.gates ?? {},
      keep_outputs: wanted.keep_outputs ?? 'failed',
      show_expected: wanted.show_expected ?? false,
      created_at: at,
      updated_at: at,
    };
    const outcome = await storeSuite(suites, principal.orgId, created, wanted.contents);
    return outcome === 'created' ? created : outcome;
  });
}

export async function createSuite(
  deps: SuiteDeps,
  principal: Principal,
  projectSlug: string,
  wanted: NewSuite,
): Promise<Suite> {
  const project = await liveProjectHead(deps, principal, projectSlug);
  return createSuiteIn(deps, principal, project, wanted);
}

export async function listSuites(
  { projects, suites }: Pick<SuiteDeps, 'projects' | 'suites'>,
  principal: Principal,
  projectSlug: string,
  query: PageQuery,
): Promise<Page<Suite>> {
  const project = await liveProjectHead({ projects }, principal, projectSlug);
  return suites.page(principal.orgId, project.id, query);
}

type Changeable = 'name' | 'description' | 'pass_threshold' | 'gates' | 'keep_outputs' | 'show_expected';

export async function updateSuite(
  deps: SuiteDeps,
  principal: Principal,
  path: { slug: string; suiteSlug: string },
  changes: { readonly [K in Changeable]?: Suite[K] | undefined },
): Promise<Suite> {
  const suite = await liveSuiteBySlug(deps, principal, path);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  const updated = await deps.suites.update(principal.orgId, suite.id, (present) =>
    patched(present, changes, deps.now()),
  );
  if (updated === undefined) throw notFound('suite');
  return updated;
}

export async function deleteSuite(
  deps: SuiteDeps,
  principal: Principal,
  path: { slug: string; suiteSlug: string },
): Promise<void> {
  const suite = await liveSuiteBySlug(deps, principal, path);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  const deleted = await deps.suites.delete(principal.orgId, suite, timestamp(deps.now()));
  if (!deleted) throw notFound('suite');
}
