import * as z from 'zod';
import {
  dataOf,
  digestSchema,
  pageOf,
  pageQuerySchema,
  shareSchema,
  timestampSchema,
  uuidSchema,
} from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { credentialSchema } from '../base/credentials.ts';
import { reliabilitySchema } from '../base/reliability.ts';
import { READ } from '../base/rights.ts';
import { SCORER_TYPES } from '../base/scorerTypes.ts';
import { gatesSchema } from '../gates.ts';

export const judgedBarSchema = z.object({
  digest: digestSchema,
  /** Of the first run that it judged, and that counted. */
  first_run_id: z.string(),
  first_run_at: timestampSchema,
  /** Active cases. */
  case_count: z.int(),
  pass_threshold: shareSchema,
  reliability: reliabilitySchema,
});
export type JudgedBar = z.infer<typeof judgedBarSchema>;

export const listRevisions = defineContract('history/revisions', 'GET /v1/suites/:suiteId/revisions', {
  summary: 'The bars that runs of a suite were judged by, the newest first',
  scope: 'result',
  query: pageQuerySchema,
  responses: { 200: pageOf(judgedBarSchema) },
  rights: { table: READ },
});

/** An active case. */
const barCaseSchema = z.object({
  case_id: uuidSchema,
  key: z.string(),
  scorer_id: uuidSchema,
  threshold: shareSchema,
  weight: z.number(),
  must_pass: z.boolean(),
  tags: z.array(z.string()),
  advisory_until: timestampSchema.nullable(),
  sample_count: z.int(),
  sample_pass_rate: shareSchema,
  /** Of its canonical JSON: `sha256:` and 64 digits. For scope `run` 16 digits that only this suite makes of it. */
  input_digest: z.string(),
  expected_digest: z.string(),
});

/** Of active cases. A deleted one has left no trace but the cases that name it. */
const barScorerSchema = z.object({
  scorer_id: uuidSchema,
  key: z.string(),
  type: z.enum(SCORER_TYPES),
  dual_sided: z.boolean(),
  precision_threshold: shareSchema.nullable(),
  recall_threshold: shareSchema.nullable(),
  /** Null where it was replaced, and no run that it judged exists any more. For scope `run` 16 digits that only this suite makes of it. */
  config: z.unknown(),
});

export const suiteBarSchema = z.object({
  digest: digestSchema,
  /** The version of the scorers and of how results become a verdict. */
  scoring: z.int(),
  pass_threshold: shareSchema,
  gates: gatesSchema,
  cases: z.array(barCaseSchema),
  scorers: z.array(barScorerSchema),
});
export type ShownBar = z.infer<typeof suiteBarSchema>;

export const getBar = defineContract('history/revision', 'GET /v1/suites/:suiteId/revisions/:digest', {
  summary: 'A bar that runs of a suite were judged by',
  scope: 'result',
  responses: { 200: dataOf(suiteBarSchema) },
});

/** By field. Null where there is, or was, none. */
const changesSchema = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }));

const difference = <T extends z.ZodRawShape>(member: T) =>
  z.object({
    added: z.array(z.object(member)),
    removed: z.array(z.object(member)),
    changed: z.array(z.object({ ...member, changes: changesSchema })),
  });

export const barDifferenceSchema = z.object({
  suite: changesSchema,
  cases: difference({ case_id: uuidSchema, key: z.string() }),
  scorers: difference({ scorer_id: uuidSchema, key: z.string() }),
});
export type BarDifference = z.infer<typeof barDifferenceSchema>;

export const diffBars = defineContract('history/diff', 'GET /v1/suites/:suiteId/revisions/:digest/diff', {
  summary: 'How a bar differs from another one',
  scope: 'result',
  query: z.object({
    /** Another bar that runs were judged by; left out: the suite as it is now. */
    to: digestSchema.optional(),
  }),
  responses: { 200: dataOf(barDifferenceSchema) },
});

/** Key (of suites and projects the slug) and name as they are after the change, of what was deleted, before it. */
const targetSchema = z.object({
  type: z.enum([
    ...(['suite', 'case', 'scorer', 'baseline', 'waiver', 'project'] as const),
    ...(['api_key', 'byok_key', 'trusted_issuer', 'sign_in', 'organisation'] as const),
  ]),
  id: z.string(),
  key: z.string().optional(),
  name: z.string().optional(),
});

const MEMBER_ACTIONS = ['created', 'updated', 'deleted'] as const;

/** Of an edit that changes several cases or scorers at once. */
const membersSchema = z.object({
  created: z.int(),
  updated: z.int(),
  deleted: z.int(),
  /** The first 100 of them, cases before scorers. */
  first: z.array(z.object({ action: z.enum(MEMBER_ACTIONS), target: targetSchema, changes: changesSchema })),
});

export const changeEntrySchema = z.object({
  id: z.string(),
  at: timestampSchema,
  /** Null for the operator of the service. */
  by: credentialSchema.nullable(),
  action: z.enum([
    ...MEMBER_ACTIONS,
    ...(['reordered', 'pushed', 'restored', 'accepted', 'removed', 'waived', 'revoked'] as const),
  ]),
  target: targetSchema,
  /** What is over 4 kB, or gone, is `{"sha256": …, "bytes": …}`, so are the texts of cases that are deleted by now. */
  changes: changesSchema,
  members: membersSchema.optional(),
});
export type ChangeEntry = z.infer<typeof changeEntrySchema>;

export const listSuiteChanges = defineContract('history/suiteChanges', 'GET /v1/suites/:suiteId/changes', {
  summary: 'Who changed a suite and its cases, when and how, the newest change first',
  scope: 'full',
  query: pageQuerySchema,
  responses: { 200: pageOf(changeEntrySchema) },
  rights: { table: READ },
});

export const listScorerChanges = defineContract(
  'history/scorerChanges',
  'GET /v1/scorers/:scorerId/changes',
  {
    summary: 'Who changed a scorer, when and how, the newest change first',
    scope: 'full',
    query: pageQuerySchema,
    responses: { 200: pageOf(changeEntrySchema) },
    rights: { table: READ },
  },
);

export const listProjectChanges = defineContract('history/projectChanges', 'GET /v1/projects/:slug/changes', {
  summary:
    'The log of a project: who changed it, its scorers, and which suites it has, the newest change first',
  scope: 'full',
  query: pageQuerySchema,
  responses: { 200: pageOf(changeEntrySchema) },
  rights: { table: READ },
});

export const listOrganisationChanges = defineContract('history/organisationChanges', 'GET /v1/changes', {
  summary:
    'The log of the organisation: who made and deleted projects, keys and trust, the newest change first',
  scope: 'full',
  query: pageQuerySchema,
  responses: { 200: pageOf(changeEntrySchema) },
  errors: ['NOT_FOUND'],
  rights: { table: READ },
});

export const historyContracts = [
  listRevisions,
  getBar,
  diffBars,
  listSuiteChanges,
  listScorerChanges,
  listProjectChanges,
  listOrganisationChanges,
];
