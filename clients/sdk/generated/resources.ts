// Written by `npm run clients` from the contracts in shared/contracts.

import type { List } from '../lists.ts';
import type { CallOptions, KeyedOptions } from '../transport/operation.ts';
import type * as types from './types.ts';

export interface Resources {
  readonly health: {
    /** Whether the service and its table answer. `GET /health`. */
    get(options?: CallOptions): Promise<types.HealthGetAnswer>;
  };
  readonly auth: {
    /** Create an organisation and its first API key. `POST /v1/auth/signup`. */
    signup(body: types.AuthSignupBody, options?: CallOptions): Promise<types.AuthSignupAnswer>;
    /** Exchange an API key, the OIDC token of a trusted CI job, or the code of a person for a token. `POST /v1/auth/token`. */
    token(body?: types.AuthTokenBody, options?: CallOptions): Promise<types.AuthTokenAnswer>;
    /** What the credential is, and what it may use. `GET /v1/whoami`. */
    whoami(options?: CallOptions): Promise<types.AuthWhoamiAnswer>;
  };
  readonly apiKeys: {
    /** The API keys of the organisation, newest first; never the keys themselves. `GET /v1/api-keys`. */
    list(query?: types.ApiKeysListQuery, options?: CallOptions): List<types.ApiKey>;
    /** Create an API key; it is shown once. `POST /v1/api-keys`. */
    create(body: types.ApiKeysCreateBody, options?: CallOptions): Promise<types.ApiKeysCreateAnswer>;
    /** Revoke an API key, and every token made with it, at once. `DELETE /v1/api-keys/:keyId`. */
    delete(keyId: string, options?: CallOptions): Promise<void>;
  };
  readonly trustedIssuers: {
    /** The issuers that the organisation trusts, under which conditions, newest first. `GET /v1/trusted-issuers`. */
    list(query?: types.TrustedIssuersListQuery, options?: CallOptions): List<types.TrustedIssuer>;
    /** Trust an issuer under conditions: CI jobs run gates, or push suites, without a stored key. `POST /v1/trusted-issuers`. */
    create(body: types.TrustedIssuersCreateBody, options?: CallOptions): Promise<types.TrustedIssuer>;
    /** Trust an issuer no more: tokens of its jobs end at once. `DELETE /v1/trusted-issuers/:issuerId`. */
    delete(issuerId: string, options?: CallOptions): Promise<void>;
  };
  readonly projects: {
    /** The organisation's projects, most recent first. `GET /v1/projects`. */
    list(query?: types.ProjectsListQuery, options?: CallOptions): List<types.Project>;
    /** Create a project. `POST /v1/projects`. */
    create(body: types.ProjectsCreateBody, options?: CallOptions): Promise<types.Project>;
    /** One project. `GET /v1/projects/:slug`. */
    get(slug: string, options?: CallOptions): Promise<types.Project>;
    /** Change a project. `PATCH /v1/projects/:slug`. */
    update(slug: string, body: types.ProjectsUpdateBody, options?: CallOptions): Promise<types.Project>;
    /** Delete a project with its suites, cases, scorers and runs. `DELETE /v1/projects/:slug`. */
    delete(slug: string, options?: CallOptions): Promise<void>;
  };
  readonly suites: {
    /** A project's suites, most recent first. `GET /v1/projects/:slug/suites`. */
    list(slug: string, query?: types.SuitesListQuery, options?: CallOptions): List<types.Suite>;
    /** Create a suite. `POST /v1/projects/:slug/suites`. */
    create(slug: string, body: types.SuitesCreateBody, options?: CallOptions): Promise<types.Suite>;
    /** Create a suite with the cases and scorers of a template. `POST /v1/projects/:slug/suites/from-template`. */
    createFromTemplate(slug: string, body: types.SuitesCreateFromTemplateBody, options?: CallOptions): Promise<types.Suite>;
    /** One suite. `GET /v1/projects/:slug/suites/:suiteSlug`. */
    get(slug: string, suiteSlug: string, options?: CallOptions): Promise<types.Suite>;
    /** One suite, by its id. `GET /v1/suites/:suiteId`. */
    getById(suiteId: string, options?: CallOptions): Promise<types.Suite>;
    /** What decides a verdict of the suite at this moment, as a digest. `GET /v1/suites/:suiteId/revision`. */
    revision(suiteId: string, options?: CallOptions): Promise<types.SuitesRevisionAnswer>;
    /** What is wrong with the bar of the suite: which answers it would clear, and which cases none passes. `GET /v1/suites/:suiteId/warnings`. */
    warnings(suiteId: string, options?: CallOptions): Promise<types.SuitesWarningsAnswer>;
    /** Change a suite. `PATCH /v1/projects/:slug/suites/:suiteSlug`. */
    update(slug: string, suiteSlug: string, body: types.SuitesUpdateBody, options?: CallOptions): Promise<types.SuitesUpdateAnswer>;
    /** Delete a suite with its cases. `DELETE /v1/projects/:slug/suites/:suiteSlug`. */
    delete(slug: string, suiteSlug: string, query?: types.SuitesDeleteQuery, options?: CallOptions): Promise<void>;
    /** Score one output with all cases of a suite, where each of them can judge one; nothing is stored or counted. `POST /v1/suites/:suiteId/try`. */
    try(suiteId: string, body: types.SuitesTryBody, options?: CallOptions): Promise<types.SuitesTryAnswer>;
  };
  readonly definitions: {
    /** A suite as one document: its fields, the scorers that it uses, its cases in their order. `GET /v1/projects/:slug/suites/:suiteSlug/definition`. */
    get(slug: string, suiteSlug: string, options?: CallOptions): Promise<types.DefinitionsGetAnswer>;
    /** Make a suite equal to a document: plan it with dry_run, or put it in force as a whole. `PUT /v1/projects/:slug/suites/:suiteSlug/definition`. */
    put(slug: string, suiteSlug: string, body: types.DefinitionsPutBody, options?: CallOptions): Promise<types.DefinitionsPutAnswer>;
  };
  readonly cases: {
    /** A suite's cases in their order. `GET /v1/suites/:suiteId/cases`. */
    list(suiteId: string, query?: types.CasesListQuery, options?: CallOptions): List<types.CasesListAnswer>;
    /** The inputs of a suite's active cases, for a program that answers them. `GET /v1/suites/:suiteId/inputs`. */
    inputs(suiteId: string, query?: types.CasesInputsQuery, options?: CallOptions): Promise<types.CasesInputsAnswer>;
    /** Add a case to the end of a suite. `POST /v1/suites/:suiteId/cases`. */
    create(suiteId: string, body: types.CasesCreateBody, options?: CallOptions): Promise<types.CasesCreateAnswer>;
    /** One case. `GET /v1/cases/:caseId`. */
    get(caseId: string, options?: CallOptions): Promise<types.Case>;
    /** Change a case. `PATCH /v1/cases/:caseId`. */
    update(caseId: string, body: types.CasesUpdateBody, options?: CallOptions): Promise<types.CasesUpdateAnswer>;
    /** Delete a case. `DELETE /v1/cases/:caseId`. */
    delete(caseId: string, query?: types.CasesDeleteQuery, options?: CallOptions): Promise<void>;
    /** Put the cases of a suite into a new order. `POST /v1/suites/:suiteId/cases/reorder`. */
    reorder(suiteId: string, body: types.CasesReorderBody, options?: CallOptions): Promise<types.CasesReorderAnswer>;
    /** How a case fared in the latest runs that have ended, most recent first. `GET /v1/cases/:caseId/history`. */
    history(caseId: string, query?: types.CasesHistoryQuery, options?: CallOptions): Promise<types.CasesHistoryAnswer>;
  };
  readonly judgeChecks: {
    /** Ask a suite's judges about the examples of its cases. `POST /v1/suites/:suiteId/check`. */
    start(suiteId: string, options?: CallOptions): Promise<types.JudgeChecksStartAnswer>;
    /** How many wrong answers a suite's judges caught when they were checked last. `GET /v1/suites/:suiteId/check`. */
    get(suiteId: string, options?: CallOptions): Promise<types.JudgeChecksGetAnswer>;
  };
  readonly scorers: {
    /** A project's scorers, most recent first. `GET /v1/projects/:slug/scorers`. */
    list(slug: string, query?: types.ScorersListQuery, options?: CallOptions): List<types.Scorer>;
    /** Create a scorer. `POST /v1/projects/:slug/scorers`. */
    create(slug: string, body: types.ScorersCreateBody, options?: CallOptions): Promise<types.Scorer>;
    /** One scorer. `GET /v1/scorers/:scorerId`. */
    get(scorerId: string, options?: CallOptions): Promise<types.Scorer>;
    /** Change a scorer. `PATCH /v1/scorers/:scorerId`. */
    update(scorerId: string, body: types.ScorersUpdateBody, options?: CallOptions): Promise<types.Scorer>;
    /** Delete a scorer; cases that use it fail until they get another. `DELETE /v1/scorers/:scorerId`. */
    delete(scorerId: string, query?: types.ScorersDeleteQuery, options?: CallOptions): Promise<void>;
    /** Score one output with a scorer that asks no model; nothing is stored or counted. `POST /v1/scorers/:scorerId/try`. */
    try(scorerId: string, body: types.ScorersTryBody, options?: CallOptions): Promise<types.ScorersTryAnswer>;
  };
  readonly history: {
    /** The bars that runs of a suite were judged by, the newest first. `GET /v1/suites/:suiteId/revisions`. */
    revisions(suiteId: string, query?: types.HistoryRevisionsQuery, options?: CallOptions): List<types.JudgedBar>;
    /** A bar that runs of a suite were judged by. `GET /v1/suites/:suiteId/revisions/:digest`. */
    revision(suiteId: string, digest: string, options?: CallOptions): Promise<types.SuiteBar>;
    /** How a bar differs from another one. `GET /v1/suites/:suiteId/revisions/:digest/diff`. */
    diff(suiteId: string, digest: string, query?: types.HistoryDiffQuery, options?: CallOptions): Promise<types.BarDifference>;
    /** Who changed a suite and its cases, when and how, the newest change first. `GET /v1/suites/:suiteId/changes`. */
    suiteChanges(suiteId: string, query?: types.HistorySuiteChangesQuery, options?: CallOptions): List<types.ChangeEntry>;
    /** Who changed a scorer, when and how, the newest change first. `GET /v1/scorers/:scorerId/changes`. */
    scorerChanges(scorerId: string, query?: types.HistoryScorerChangesQuery, options?: CallOptions): List<types.ChangeEntry>;
    /** The log of a project: who changed it, its scorers, and which suites it has, the newest change first. `GET /v1/projects/:slug/changes`. */
    projectChanges(slug: string, query?: types.HistoryProjectChangesQuery, options?: CallOptions): List<types.ChangeEntry>;
    /** The log of the organisation: who made and deleted projects, keys and trust, the newest change first. `GET /v1/changes`. */
    organisationChanges(query?: types.HistoryOrganisationChangesQuery, options?: CallOptions): List<types.ChangeEntry>;
  };
  readonly byokKeys: {
    /** BYOK keys of the organisation, or of a project, most recent first, without the keys themselves. `GET /v1/byok-keys`. */
    list(query?: types.ByokKeysListQuery, options?: CallOptions): List<types.ByokKey>;
    /** Store a model provider's API key, encrypted; it is never shown again. `POST /v1/byok-keys`. */
    create(body: types.ByokKeysCreateBody, options?: CallOptions): Promise<types.ByokKey>;
    /** Ask the provider whether it takes the key. `POST /v1/byok-keys/:keyId/test`. */
    test(keyId: string, body?: types.ByokKeysTestBody, options?: CallOptions): Promise<types.ByokKeysTestAnswer>;
    /** Revoke a BYOK key: what was stored of it is destroyed. `DELETE /v1/byok-keys/:keyId`. */
    delete(keyId: string, options?: CallOptions): Promise<void>;
  };
  readonly templates: {
    /** The built-in suite templates. `GET /v1/templates`. */
    list(options?: CallOptions): Promise<types.Template[]>;
    /** One template. `GET /v1/templates/:slug`. */
    get(slug: string, options?: CallOptions): Promise<types.Template>;
  };
  readonly runs: {
    /** Score an output with a suite. `POST /v1/run`. */
    create(body: types.RunsCreateBody, options?: KeyedOptions): Promise<types.RunVerdict | types.PendingRun>;
    /** The summary of a run. `GET /v1/runs/:runId`. */
    get(runId: string, options?: CallOptions): Promise<types.Run>;
    /** A suite's runs, most recent first. `GET /v1/suites/:suiteId/runs`. */
    list(suiteId: string, query?: types.RunsListQuery, options?: CallOptions): List<types.Run>;
    /** A signed file that proves, without the service, which bar cleared which outputs. `GET /v1/runs/:runId/statement`. */
    statement(runId: string, options?: CallOptions): Promise<types.RunsStatementAnswer>;
    /** The results of a run, one for each case. `GET /v1/runs/:runId/results`. */
    results(runId: string, query?: types.RunsResultsQuery, options?: CallOptions): List<types.RunResult>;
  };
  readonly baselines: {
    /** Accept one to five runs as what later runs are compared with. `POST /v1/suites/:suiteId/baselines`. */
    accept(suiteId: string, body: types.BaselinesAcceptBody, options?: CallOptions): Promise<types.BaselinesAcceptAnswer>;
    /** A suite's baselines, the last accepted first. `GET /v1/suites/:suiteId/baselines`. */
    list(suiteId: string, query?: types.BaselinesListQuery, options?: CallOptions): List<types.BaselinesListAnswer>;
    /** The baseline that runs are compared with. `GET /v1/suites/:suiteId/baseline`. */
    get(suiteId: string, options?: CallOptions): Promise<types.BaselinesGetAnswer>;
    /** Compare runs with no baseline any more. `DELETE /v1/suites/:suiteId/baseline`. */
    remove(suiteId: string, options?: CallOptions): Promise<void>;
  };
  readonly comparisons: {
    /** What got worse or better since the baseline. `GET /v1/runs/:runId/comparison`. */
    get(runId: string, query?: types.ComparisonsGetQuery, options?: CallOptions): Promise<types.ComparisonsGetAnswer>;
  };
  readonly waivers: {
    /** Waive an aborted run for a while. `POST /v1/runs/:runId/waiver`. */
    create(runId: string, body: types.WaiversCreateBody, options?: CallOptions): Promise<types.WaiversCreateAnswer>;
    /** Revoke the waiver of a run. `DELETE /v1/runs/:runId/waiver`. */
    delete(runId: string, options?: CallOptions): Promise<void>;
  };
  readonly analytics: {
    /** A suite's days with runs, most recent first. `GET /v1/suites/:suiteId/trends`. */
    trends(suiteId: string, query?: types.AnalyticsTrendsQuery, options?: CallOptions): Promise<types.Trend[]>;
    /** The cases that the latest of a suite's runs failed and the one before passed. `GET /v1/suites/:suiteId/regressions`. */
    regressions(suiteId: string, options?: CallOptions): Promise<types.Regression[]>;
  };
  readonly billing: {
    /** The organisation's plan and the runs it has used this month. `GET /v1/billing/usage`. */
    usage(options?: CallOptions): Promise<types.BillingUsageAnswer>;
    /** Buy a plan, or move the subscription to it: the address to send the customer to. `POST /v1/billing/checkout`. */
    checkout(body: types.BillingCheckoutBody, options?: CallOptions): Promise<types.BillingCheckoutAnswer>;
    /** The address of a customer portal: subscription, invoices and payment methods. `POST /v1/billing/portal`. */
    portal(options?: CallOptions): Promise<types.BillingPortalAnswer>;
  };
}
