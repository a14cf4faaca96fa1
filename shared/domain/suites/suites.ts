import type { PageQuery } from '../../contracts/base/common.ts';
import type { Suite } from '../../contracts/suites.ts';
import { notFound } from '../errors.ts';
import { patched } from '../patch.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { editedTooOften } from '../revisions/position.ts';
import { timestamp } from '../time.ts';
import { liveProjectHead, liveSuiteBySlug } from './access/live.ts';
import { requireKeyIfWeaker, requireMayWrite } from './access/writes.ts';
import { type Chains, type CurrentSuite, currentProject } from './chains/chains.ts';
import { editSuite } from './chains/edits.ts';
import { editedSuite } from './chains/memberEdits.ts';
import { noSuite, putRevisions, type RevisionsEdit } from './chains/putRevisions.ts';
import { type ExpectedVersion, requireVersion } from './chains/versions.ts';
import { inheritReplaced } from './formerSuite.ts';
import { type Warned, warnedOf } from './gates/warnings.ts';
import type { ProjectReader, SuiteReader, SuiteStore } from './ports.ts';
import { createUnderSlug } from './slugs.ts';
import type { ProjectHead, StoredSuite } from './stored.ts';

export type SuiteDeps = Ambient & { projects: ProjectReader; suites: SuiteStore; chains: Chains };

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
  readonly show_inputs?: boolean | undefined;
  readonly show_results?: boolean | undefined;
  /** Its first cases, and the scorers that it brings. */
  readonly contents?: (
    none: CurrentSuite,
    project: ProjectHead,
  ) => Promise<Pick<RevisionsEdit, 'edited' | 'scorers'>>;
}

const noContents: NonNullable<NewSuite['contents']> = async (none) => ({
  edited: await editedSuite(none, { act: { action: 'created', target: { type: 'suite' } } }),
  scorers: 'any',
});

export async function createSuiteIn(
  deps: SuiteDeps,
  principal: Principal,
  project: ProjectHead,
  fields: NewSuite,
): Promise<StoredSuite> {
  const { projects, now, newId } = deps;
  const { orgId } = principal;
  const slugged = { slug: fields.slug, name: fields.slugFrom ?? fields.name, newId };
  const { contents = noContents } = fields;
  let newestProject = project;
  return createUnderSlug('suite', slugged, async (slug) => {
    const moment = timestamp(now());
    const inherited = await inheritReplaced(deps, principal, { slug, projectId: project.id });
    const suite: StoredSuite = {
      id: newId(),
      project_id: project.id,
      project_slug: project.slug,
      name: fields.name,
      slug,
      description: fields.description,
      pass_threshold: fields.pass_threshold,
      gates: fields.gates ?? {},
      keep_outputs: fields.keep_outputs ?? 'failed',
      show_expected: fields.show_expected ?? false,
      show_inputs: fields.show_inputs ?? false,
      show_results: fields.show_results ?? true,
      version: 0,
      created_at: moment,
      updated_at: moment,
      ...inherited,
    };
    const present = noSuite(deps, orgId, suite);
    const put = await putRevisions(deps, principal, {
      suite,
      present,
      project: newestProject,
      ...(await contents(present, newestProject)),
    });
    if (typeof put === 'object') return put.fields.suite;
    if (put === 'id_taken') return 'again';
    if (put !== 'changed') return put;
    const head = await projects.head(orgId, project.slug);
    if (head?.id !== project.id) return 'parent_gone';
    newestProject = head;
    return 'again';
  });
}

export async function createSuite(
  deps: SuiteDeps,
  principal: Principal,
  projectSlug: string,
  fields: NewSuite,
): Promise<StoredSuite> {
  const project = await liveProjectHead(deps, principal, projectSlug);
  return createSuiteIn(deps, principal, project, fields);
}

export async function listSuites(
  { projects, suites }: { projects: ProjectReader; suites: SuiteReader },
  principal: Principal,
  projectSlug: string,
  query: PageQuery,
): Promise<Page<StoredSuite>> {
  const project = await liveProjectHead({ projects }, principal, projectSlug, 'read');
  return suites.page(principal.orgId, project.id, query);
}

interface Expected {
  readonly expected_version?: ExpectedVersion;
}

const UPDATED = { action: 'updated', target: { type: 'suite' } } as const;

type Shown = 'show_expected' | 'show_inputs' | 'show_results';
type Changeable = 'name' | 'description' | 'pass_threshold' | 'gates' | 'keep_outputs' | Shown;

export async function updateSuite(
  deps: SuiteDeps,
  principal: Principal,
  path: { slug: string; suiteSlug: string },
  { expected_version, ...changes }: { readonly [K in Changeable]?: Suite[K] | undefined } & Expected,
): Promise<StoredSuite & Warned> {
  const suite = await liveSuiteBySlug(deps, principal, path);
  await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
  const readScorers = async () => {
    const project = await liveProjectHead(deps, principal, path.slug);
    return currentProject(deps.chains, principal.orgId, project);
  };
  let warned: Warned = {};
  const revision = await editSuite(deps, principal, suite, async (present) => {
    const before = present.revision.fields.suite;
    requireVersion('suite', before, expected_version);
    const nowMs = deps.now();
    const after = patched(before, changes, nowMs);
    await requireKeyIfWeaker(principal, before, after);
    const edited = after === before ? undefined : await editedSuite(present, { act: UPDATED, suite: after });
    warned = await warnedOf(present, readScorers, nowMs, edited);
    return edited;
  });
  if (revision === undefined) throw notFound('suite');
  return { ...revision.fields.suite, ...warned };
}

export async function deleteSuite(
  deps: SuiteDeps,
  principal: Principal,
  path: { slug: string; suiteSlug: string },
  { expected_version }: Expected = {},
): Promise<void> {
  for (let tries = 0; tries < DELETIONS_TRIED; tries++) {
    const suite = await liveSuiteBySlug(deps, principal, path);
    await requireMayWrite(deps, principal, { project_id: suite.project_id, suite });
    const suiteInForce = await deps.suites.holding(principal.orgId, suite.id);
    const project = await deps.projects.head(principal.orgId, path.slug);
    if (suiteInForce === undefined || project === undefined) throw notFound('suite');
    requireVersion('suite', suiteInForce.revision.fields.suite, expected_version);
    const deleted = await deps.suites.delete(principal.orgId, suite, {
      at: timestamp(deps.now()),
      by: principal.credential,
      scorers: project.position,
      expected: expected_version === undefined ? undefined : suiteInForce.head.position,
    });
    if (deleted === 'deleted') return;
    if (deleted === 'gone') throw notFound('suite');
  }
  throw editedTooOften();
}

/** What changes meanwhile is compared again. */
const DELETIONS_TRIED = 12;
