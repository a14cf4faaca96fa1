import type { ShownBar } from '../../contracts/history/history.ts';
import { SCORING_VERSION } from '../../scoring/digest/suiteDigest.ts';
import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { Member } from '../revisions/blocks.ts';
import { liveSuiteInForce } from '../suites/access/live.ts';
import { type AtOneMoment, revisionsOf } from '../suites/chains/atOneMoment.ts';
import {
  type CurrentProject,
  type CurrentSuite,
  currentProject,
  currentSuite,
  type RevisionIds,
  type Revisions,
  suiteChain,
} from '../suites/chains/chains.ts';
import type { CaseRow, ScorerRow, ScorerTexts } from '../suites/chains/members.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { headsOf, type ResolvedSuite } from '../suites/resolveSuite.ts';
import type { JudgedDigestStore } from './ports.ts';
import { type Shows, showsTo } from './shownDigests.ts';

export interface HistoryDeps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Revisions;
  readonly digests: JudgedDigestStore;
}

/** What a suite is at its revisions. */
export interface JudgedSuite {
  readonly scoring: number;
  readonly suite: CurrentSuite;
  readonly project: CurrentProject;
}

interface Reading {
  readonly orgId: string;
  readonly at: ResolvedSuite;
  readonly shows: Shows;
}

/** A suite whose bars the credential may see. */
export async function openSuite(deps: HistoryDeps, principal: Principal, suiteId: string): Promise<Reading> {
  const { orgId, scope } = principal;
  const { head, project } = await liveSuiteInForce(deps, principal, suiteId, 'result');
  const shows = await showsTo(scope, () => deps.digests.salt(suiteChain(orgId, head)));
  return { orgId, at: { head, project }, shows };
}

/** 404 for a digest that no run of the suite was judged by. */
export async function judgedSuite(
  deps: HistoryDeps,
  { orgId, at: heads }: Reading,
  digest: string,
): Promise<JudgedSuite> {
  const revisions = await deps.digests.find(suiteChain(orgId, heads.head), digest);
  if (revisions === undefined) throw notFound('revision');
  return judgedSuiteAt(deps, { orgId, at: heads }, revisions);
}

export async function currentSuiteAsJudged(
  deps: HistoryDeps & { readonly atOneMoment: AtOneMoment },
  principal: Principal,
  suiteId: string,
): Promise<JudgedSuite> {
  const { orgId } = principal;
  const { revision } = await liveSuiteInForce(deps, principal, suiteId, 'result');
  const heads = await deps.atOneMoment(orgId, () => headsOf(deps, principal, revision.fields.suite));
  return judgedSuiteAt(
    deps,
    { orgId, at: heads },
    { revisions: revisionsOf(heads), scoring: SCORING_VERSION },
  );
}

async function judgedSuiteAt(
  { chains }: Pick<HistoryDeps, 'chains'>,
  { orgId, at: { head, project } }: Omit<Reading, 'shows'>,
  { revisions, scoring }: { readonly revisions: RevisionIds; readonly scoring: number },
): Promise<JudgedSuite> {
  const [suite, scorers] = await Promise.all([
    currentSuite(chains, orgId, { ...head, position: revisions.suite }),
    currentProject(chains, orgId, { ...project, position: revisions.project }),
  ]);
  return { scoring, suite, project: scorers };
}

/** Of the scorers that active cases name, deleted ones included. */
export function usedScorers({ suite }: JudgedSuite): string[] {
  const { uses } = suite.revision.fields.sums;
  return Object.keys(uses).filter((id) => (uses[id]?.[0] ?? 0) > 0);
}

export function judgedFields({ scoring, suite }: JudgedSuite) {
  const { pass_threshold, gates } = suite.revision.fields.suite;
  return { scoring, pass_threshold, gates };
}

export function caseOfSuite({ row }: Member<CaseRow>, shows: Shows): ShownBar['cases'][number] {
  const { id, key, scorer_id, threshold, weight, must_pass, tags } = row;
  const { advisory, sample_count, sample_pass_rate, input_digest, expected_digest } = row;
  return {
    case_id: id,
    key,
    scorer_id,
    threshold,
    weight,
    must_pass,
    tags: tags.toSorted(),
    advisory_until: advisory?.expires_at ?? null,
    sample_count,
    sample_pass_rate,
    input_digest: shows.digest(input_digest),
    expected_digest: shows.digest(expected_digest),
  };
}

/** `texts`: undefined where they were dropped. */
export function scorerOfSuite(
  { row }: Member<ScorerRow>,
  texts: ScorerTexts | undefined,
  shows: Shows,
): ShownBar['scorers'][number] {
  const { id, key, type, dual_sided, precision_threshold, recall_threshold } = row;
  const config = texts === undefined ? null : shows.config(texts.config);
  return { scorer_id: id, key, type, dual_sided, precision_threshold, recall_threshold, config };
}
