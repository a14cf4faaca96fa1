import { isOwnEvent } from '../../contracts/base/ownEvents.ts';
import { preAuthEncoding, STATEMENT_FORM } from '../../contracts/base/statementForm.ts';
import type { Run } from '../../contracts/runs.ts';
import type { Statement, StatementJwk } from '../../contracts/statements.ts';
import { canonicalJson } from '../../scoring/kit/json.ts';
import type { SigningKeys } from '../accounts/ports.ts';
import { AppError, notFound } from '../errors.ts';
import { EVENTS_OF_REF } from '../jobEvents.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { tokenMs } from '../revisions/ids.ts';
import type { RunReader, StoredRun } from '../runs/ports.ts';
import { liveRun } from '../runs/read.ts';
import { revisionsNamed } from '../suites/chains/chains.ts';
import type { ProjectReader } from '../suites/ports.ts';
import { timestamp } from '../time.ts';

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly runs: RunReader;
  /** The slug of a suite, also of one that was deleted; undefined where nothing is left of it. */
  readonly suiteSlug: (orgId: string, suiteId: string) => Promise<string | undefined>;
  /** Undefined where the deployment has none. */
  readonly keys: () => Promise<SigningKeys<StatementJwk> | undefined>;
  /** What names this deployment, as in its tokens. */
  readonly issuer: string;
  readonly githubIssuer: string;
}

/** A Sigstore bundle. Its payload is a function of the stored run alone: each answer has the same bytes. */
export async function statementOf(deps: Deps, principal: Principal, runId: string): Promise<Statement> {
  const run = await liveRun(deps, principal, runId);
  if (run.status !== 'cleared') throw notCleared();
  const [suite, keys] = await Promise.all([deps.suiteSlug(principal.orgId, run.suite_id), deps.keys()]);
  if (suite === undefined) throw notFound('run');
  if (keys === undefined)
    throw new AppError('STATEMENTS_NOT_CONFIGURED', 'This deployment has no key for statements.');
  const [key] = await keys.publicKeys();
  const payload = Buffer.from(
    canonicalJson(
      payloadOf(run, {
        suite,
        verifier: `${deps.issuer}/organisations/${principal.orgId}`,
        githubHost: hostOf(deps.githubIssuer),
      }),
    ),
  );
  const signature = await keys.sign(preAuthEncoding(payload));
  const kid = key?.kid ?? '';
  const { mediaType, payloadType } = STATEMENT_FORM;
  return {
    mediaType,
    verificationMaterial: { publicKey: { hint: kid }, tlogEntries: [] },
    dsseEnvelope: {
      payloadType,
      payload: payload.toString('base64'),
      signatures: [{ keyid: kid, sig: Buffer.from(signature).toString('base64') }],
    },
  };
}

/** Consumers look at signature, type and subject: a signed "aborted" would soon be taken for a pass. */
const notCleared = (): AppError =>
  new AppError(
    'RUN_NOT_CLEARED',
    'Only a run that was cleared has a statement: pending, aborted, inconclusive and waived ones have none.',
  );

interface Place {
  /** Its slug. */
  readonly suite: string;
  readonly verifier: string;
  readonly githubHost: string;
}

/** In-toto Statement v1 with a Simple Verification Result v0.2: figures, and no text of a case, a reason or a model. */
function payloadOf(run: StoredRun, { suite, verifier, githubHost }: Place) {
  const { revisions } = run;
  const since = Object.values(revisionsNamed(revisions)).map(({ token }) => tokenMs(token));
  const policy = {
    name: `${run.project_slug}/${suite}`,
    uri: `urn:evalgate:suite:${run.suite_id}`,
    digest: { sha256: digits(run.suite_digest) },
  };
  return {
    _type: STATEMENT_FORM.type,
    subject: [
      { name: 'outputs', digest: { sha256: digits(run.outputs_digest) } },
      ...commitOf(run.created_by, githubHost),
    ],
    predicateType: STATEMENT_FORM.predicateType,
    predicate: {
      verifier: { id: verifier, policies: [policy] },
      timeCreated: run.completed_at,
      properties: [STATEMENT_FORM.property],
      evalgate: {
        runId: run.id,
        project: run.project_slug,
        suite,
        receivedAt: run.created_at,
        barInForceSince: timestamp(Math.max(...since)),
        baselineId: run.baseline_id,
        passRate: run.pass_rate,
        totalCases: run.total_cases,
        passedCases: run.passed_cases,
        missingCases: run.missing_cases,
        erroredCases: run.errored_cases,
        advisoryCases: run.advisory_cases,
        gates: (run.verdict?.gates ?? []).map(({ gate, observed, required }) => ({
          gate,
          observed,
          required,
        })),
        ...jobOf(run.created_by),
      },
    },
  };
}

function digits(digest: string | null): string {
  const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest ?? '') ?? [];
  if (hex === undefined) throw new Error('A cleared run has no digest');
  return hex;
}

const GITHUB = 'token.actions.githubusercontent.com';

/** Where the repositories of an issuer's jobs are: GitHub, GitHub with data residency, or an Enterprise Server. */
function hostOf(issuer: string): string {
  const { host } = new URL(issuer);
  return host === GITHUB ? 'github.com' : host.replace(/^token\.actions\.(?=.+\.ghe\.com$)/, '');
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** A job of another event carries a commit of the default branch while it judges what somebody else sent. */
function commitOf(by: Run['created_by'], githubHost: string) {
  if (by.type !== 'github_actions' && by.type !== 'ci_job') return [];
  const { sha = '', event_name = '' } = by;
  const isGithub = by.type === 'github_actions';
  const isOwn = isGithub ? isOwnEvent(event_name) : EVENTS_OF_REF[by.provider]?.includes(event_name) === true;
  if (!isOwn || !COMMIT.test(sha)) return [];
  // Other systems name a project by its id: what a token calls it can be taken again, or is the registration's label.
  const repository = isGithub
    ? `https://${githubHost}/${by.repository}`
    : `${by.issuer}/projects/${by.subject}`;
  return [{ name: `git+${repository}`, digest: { gitCommit: sha } }];
}

/** As its token named it. Runs with keys have none: what their `trigger_meta` names is unproven. */
function jobOf(by: Run['created_by']) {
  if (by.type === 'github_actions')
    return {
      job: given({
        repository: by.repository,
        repositoryId: by.repository_id,
        ref: by.ref,
        eventName: by.event_name,
        workflow: by.workflow,
        jobWorkflowRef: by.job_workflow_ref,
        runId: by.run_id,
        runAttempt: by.run_attempt,
      }),
    };
  if (by.type !== 'ci_job') return {};
  const { provider, issuer, subject, ref, event_name, run_id } = by;
  return { job: given({ provider, issuer, subject, ref, eventName: event_name, runId: run_id }) };
}

const given = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
