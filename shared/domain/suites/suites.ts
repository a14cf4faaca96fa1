import type { PageQuery } from '../../contracts/base/common.ts';
import type { Suite } from '../../contracts/suites.ts';
import { liveProjectHead, liveSuiteBySlug } from '../access.ts';
import { notFound } from '../errors.ts';
import { patched } from '../patch.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { timestamp } from '../time.ts';
import type { ProjectHead, ProjectStore, StoredSuite, SuiteStore } from './ports.ts';
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
  readonly contents?: (suite: StoredSuite) => Omit<Parameters<SuiteStore['create']>[1], 'suite'>;
}

const EMPTY = { scorers: [], cases: [] };

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
    const contents = { suite: created, ...(wanted.contents?.(created) ?? EMPTY) };
    return { outcome: await suites.create(principal.orgId, contents), created };
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

export async function updateSuite(
  deps: SuiteDeps,
  principal: Principal,
  path: { slug: string; suiteSlug: string },
  changes: { [K in 'name' | 'description' | 'pass_threshold']?: NewSuite[K] | undefined },
): Promise<Suite> {
  const { id } = await liveSuiteBySlug(deps, principal, path);
  const updated = await deps.suites.update(principal.orgId, id, (suite) =>
    patched(suite, changes, deps.now()),
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
  const deleted = await deps.suites.delete(principal.orgId, suite, timestamp(deps.now()));
  if (!deleted) throw notFound('suite');
}
