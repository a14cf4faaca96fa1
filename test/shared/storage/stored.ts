import { randomUUID } from 'node:crypto';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import type { Run } from '../../../shared/contracts/runs.ts';
import type { LoggedChange } from '../../../shared/domain/changes/log.ts';
import { storedChunk } from '../../../shared/domain/evaluation/chunkResults.ts';
import type { ChunkPlan } from '../../../shared/domain/evaluation/evaluation.ts';
import type { Principal } from '../../../shared/domain/principal.ts';
import { createdAtAfter } from '../../../shared/domain/runs/creation.ts';
import type {
  Admission,
  FinishedRun,
  ScoredCase,
  StoredOutcome,
  VerdictRecord,
} from '../../../shared/domain/runs/ports.ts';
import { split } from '../../../shared/domain/runs/results/join.ts';
import { NO_RECORD } from '../../../shared/domain/runs/results/verdictRecord.ts';
import { revisionsName } from '../../../shared/domain/suites/chains/chains.ts';
import { PLAIN_RULES } from '../../../shared/domain/suites/gates/rules.ts';
import type { StoredScorer, StoredSuite, SuiteHead } from '../../../shared/domain/suites/stored.ts';
import { projectStore } from '../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../shared/storage/suites/suites.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { putSuite } from '../../support/revisions/bars.ts';

const AN_ID = '00000000-0000-4000-8000-000000000000';
const AT = '2026-05-05T10:00:00.000Z';

export interface MadeSuite {
  readonly orgId: string;
  readonly suite: StoredSuite;
  readonly head: SuiteHead;
}

interface Makes {
  /** In the project of this suite; left out: in a project of an organisation of its own. */
  readonly beside?: MadeSuite;
  readonly newId?: () => string;
}

/** A suite as the stores make it. */
export async function makeStoredSuite(
  table: Table,
  { beside, newId = randomUUID }: Makes = {},
): Promise<MadeSuite> {
  const orgId = beside?.orgId ?? newId();
  const projectId = beside?.suite.project_id ?? newId();
  const id = newId();
  const common = { description: null, created_at: AT, updated_at: AT };
  const ofProject = { org_id: orgId, name: 'Bot', slug: 'bot', weaker_pushes: 'suites' as const };
  const project = { id: projectId, ...ofProject, ...common };
  const suite: StoredSuite = {
    id,
    project_id: projectId,
    project_slug: 'bot',
    name: 'Answers',
    slug: beside === undefined ? 'answers' : `answers-${id}`,
    pass_threshold: 1,
    gates: {},
    keep_outputs: 'failed',
    show_expected: false,
    show_inputs: false,
    show_results: true,
    version: 0,
    ...common,
  };
  if (beside === undefined) await projectStore(table).create(project, aLog);
  await putSuite(table, orgId, suite);
  const head = await suiteStore(table).head(orgId, suite.slug, suite.project_id);
  if (head === undefined) throw new Error('a suite that was made is gone');
  return { orgId, suite, head };
}

export function storedCase(suite: Pick<StoredSuite, 'id'>, fields: Partial<EvalCase> = {}): EvalCase {
  const id = randomUUID();
  return {
    id,
    key: id,
    suite_id: suite.id,
    scorer_id: randomUUID(),
    name: 'A case',
    description: null,
    input: {},
    expected: null,
    threshold: 0.5,
    weight: 1,
    is_active: true,
    ...PLAIN_RULES,
    sort_order: 0,
    created_at: AT,
    updated_at: AT,
    ...fields,
  };
}

type OfProject = Pick<StoredSuite, 'project_id' | 'project_slug'>;

export const storedScorer = (
  { project_id, project_slug }: OfProject,
  fields: Partial<StoredScorer> = {},
): StoredScorer => ({
  id: randomUUID(),
  key: randomUUID(),
  project_id,
  project_slug,
  name: 'A scorer',
  type: 'contains',
  config: {},
  dual_sided: false,
  precision_threshold: null,
  recall_threshold: null,
  version: 1,
  created_at: AT,
  updated_at: AT,
  ...fields,
});

const by = { type: 'api_key', key_id: AN_ID, label: 'Test' } as const;

/** What is logged with a change, where no test looks at it. */
export const aLog: LoggedChange = {
  projectId: null,
  at: AT,
  by,
  action: 'updated',
  changes: {},
  target: { type: 'project', id: AN_ID },
};

/** Of a suite, whatever is in force of it. */
export const deletionAt = (at: string) => ({ at, by, scorers: { n: 0, token: '' }, expected: undefined });

/** Anyone who may do everything in the organisation. */
export const principalOf = (orgId: string, fields: Partial<Principal> = {}): Principal => ({
  orgId,
  credential: by,
  plan: 'free',
  planVersion: 1,
  retainedFrom: null,
  projectId: null,
  scope: 'full',
  expiresAt: null,
  ...fields,
});

/** The suite as it is, in a project without scorers. */
export const pairAt = ({ position }: SuiteHead): string =>
  revisionsName({ suite: position, project: { n: 0, token: '' } });

/** What the run of a plain suite keeps of its verdict. */
const RECORD: VerdictRecord = {
  ...NO_RECORD,
  suite_digest: `sha256:${'5e'.repeat(32)}`,
  outputs_digest: `sha256:${'07'.repeat(32)}`,
  pass_threshold: 1,
  kept: { effectiveCases: 1, flips: [1, 1], gates: [] },
};

/** A run as the domain hands it over to be stored. */
export function finishedRun(
  { orgId, head }: MadeSuite,
  results: readonly ScoredCase[],
  { startedAtMs = Date.now(), ...fields }: Partial<FinishedRun> & { readonly startedAtMs?: number } = {},
): FinishedRun {
  const failed = results.filter(({ passed }) => !passed).length;
  return {
    orgId,
    head,
    revisions: pairAt(head),
    bar: 'bar',
    isOfDefaultBranch: true,
    resultsHidden: false,
    run: {
      ...RECORD,
      status: 'cleared',
      pass_rate: 1,
      total_cases: results.length,
      passed_cases: results.length - failed,
      failed_cases: failed,
      errored_cases: 0,
      inconclusive: false,
      duration_ms: 3,
      trigger: 'api',
      created_by: by,
      trigger_meta: {},
    },
    results: results.map((result) => split(result)),
    idempotency: undefined,
    createdAt: createdAtAfter(fields.head ?? head, startedAtMs),
    completedAtMs: startedAtMs,
    retentionDays: 14,
    plan: { id: 'pro', version: 1 },
    ...fields,
  };
}

/** A run that is accepted, to be evaluated later. */
export function admission(made: MadeSuite, fields: Partial<Admission> = {}): Admission {
  const { startedAtMs = Date.now() } = fields;
  const { run, createdAt } = finishedRun(made, [], { startedAtMs });
  return {
    orgId: made.orgId,
    head: made.head,
    run: { ...run, ...NO_RECORD, status: 'pending', pass_rate: 0 },
    submission: { output: 'x', input: {} },
    revisions: pairAt(made.head),
    isOfDefaultBranch: true,
    resultsHidden: false,
    judgedCases: 0,
    idempotency: undefined,
    startedAtMs,
    createdAt,
    retentionDays: 14,
    plan: { id: 'pro', version: 1 },
    ...fields,
  };
}

/** The plan of a run with one output. */
export const chunkPlan = (fields: Partial<ChunkPlan> = {}): ChunkPlan => ({
  ends: [1],
  totalCases: 1,
  passThreshold: 1,
  gates: {},
  keepOutputs: 'failed',
  suiteDigest: RECORD.suite_digest,
  outputs: { digest: RECORD.outputs_digest, surplus: [], surplusOutputs: 0, groups: [], counts: [] },
  isAbandoned: false,
  ...fields,
});

/** A chunk of cases that no revision has. */
export const endedWith = (results: readonly ScoredCase[]) =>
  storedChunk(
    results.map((result) => ({ result, texts: undefined })),
    [],
  );

/** The run that a store answers; an error when nothing was stored. */
export function runOf(answer: StoredOutcome): Run {
  if (answer.outcome !== 'stored') throw new Error(`nothing was stored: ${answer.outcome}`);
  return answer.run;
}
