import path from 'node:path';
import { Evalgate, type RunResult } from '../../../clients/sdk/index.ts';
import { type Claims, jobClaims, type OidcIssuer, startOidcIssuer } from '../../support/oidc.ts';
import { type Stage, startStage } from '../../support/stage.ts';
import { type GithubStandIn, startGithub } from './githubStandIn.ts';
import { MERGE_SHA, type Payload, push, REPOSITORY } from './payloads.ts';
import { type Ended, runStepHere, type Step, startBundle } from './runnerStandIn.ts';

export interface Job extends Partial<Step> {
  readonly event?: string;
  readonly payload?: Payload;
  /** Of the job's own token, beside the usual ones. */
  readonly claims?: Claims;
  /** Starts the bundle in a process of its own. */
  readonly isBundled?: boolean;
}

export interface GateOfTest {
  readonly client: Evalgate;
  readonly orgId: string;
  readonly apiKey: string;
  readonly suiteId: string;
  /** Runs the action in a job of the repository that the organisation trusts; on a push unless given. */
  run(job?: Job): Promise<Ended>;
  results(runId: string): Promise<RunResult[]>;
  runCount(): Promise<number>;
}

export interface World {
  readonly stage: Stage;
  readonly issuer: OidcIssuer;
  readonly github: GithubStandIn;
  /** An organisation whose suite `returns` has the cases `window`, `refund` and `letter`, which want "30 days". */
  gate(): Promise<GateOfTest>;
  stop(): Promise<void>;
}

export const GOOD = 'You can return it within 30 days.';
export const BAD = 'Never.';

const PRELOAD = path.join(import.meta.dirname, 'shorterTime.ts');
/** For a process that waits for minutes: its time passes so many times faster. */
export const faster = (factor: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${PRELOAD} --disable-warning=ExperimentalWarning`,
  TEST_TIME_FACTOR: String(factor),
});

/** The real service, with stand-ins for GitHub and the issuer of its tokens. */
export async function startWorld(): Promise<World> {
  const [issuer, github] = await Promise.all([startOidcIssuer(), startGithub()]);
  const stage = await startStage({ GITHUB_OIDC_ISSUER: issuer.url });
  return {
    stage,
    issuer,
    github,
    gate: () => makeGate({ stage, issuer, github }),
    async stop() {
      await stage.stop();
      await github.stop();
      await issuer.stop();
    },
  };
}

async function makeGate({
  stage,
  issuer,
  github,
}: Pick<World, 'stage' | 'issuer' | 'github'>): Promise<GateOfTest> {
  const url = stage.service.baseUrl;
  const { organisation, api_key } = await new Evalgate({ url }).auth.signup({ name: 'With the action' });
  const client = new Evalgate({ url, apiKey: api_key.key });
  await client.projects.create({ name: 'Bot', slug: 'bot' });
  const suite = await client.suites.create('bot', { name: 'Returns', slug: 'returns' });
  const { id } = await client.scorers.create('bot', {
    name: 'Says 30 days',
    type: 'contains',
    config: { values: ['30 days'] },
  });
  for (const key of ['window', 'refund', 'letter']) {
    await client.cases.create(suite.id, { name: `Case ${key}`, key, input: {}, scorer_id: id });
  }
  await client.trustedRepositories.create({ repository: REPOSITORY.name });
  return {
    client,
    orgId: organisation.id,
    apiKey: api_key.key,
    suiteId: suite.id,
    run({ event = 'push', payload = push(), claims, isBundled, inputs, env, files, ...more } = {}) {
      github.token = (audience) =>
        issuer.token({
          ...jobClaims(organisation.id, REPOSITORY),
          aud: audience,
          event_name: event,
          ...claims,
        });
      return (isBundled ? startBundle : runStepHere)({
        ...more,
        payload,
        files: { 'answer.txt': GOOD, ...files },
        inputs: {
          suite: 'returns',
          'output-file': 'answer.txt',
          url,
          organisation: organisation.id,
          project: 'bot',
          'github-token': 'ghs_of-the-step',
          ...inputs,
        },
        env: { ...variablesOf(event, github), ...env },
      });
    },
    results: async (runId) => (await client.runs.results(runId).page()).data,
    runCount: async () => (await client.runs.list(suite.id).page()).pagination?.total ?? 0,
  };
}

const variablesOf = (event: string, { apiUrl, oidcUrl }: GithubStandIn): Record<string, string> => ({
  GITHUB_EVENT_NAME: event,
  GITHUB_REPOSITORY: REPOSITORY.name,
  GITHUB_SHA: MERGE_SHA,
  GITHUB_REF: event.startsWith('pull_request') ? 'refs/pull/2/merge' : 'refs/heads/main',
  GITHUB_ACTOR: 'octocat',
  GITHUB_WORKFLOW: 'Gate',
  GITHUB_JOB: 'gate',
  GITHUB_ACTION: '__self',
  GITHUB_RUN_ID: '17234567890',
  GITHUB_RUN_NUMBER: '42',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_API_URL: apiUrl,
  ACTIONS_ID_TOKEN_REQUEST_URL: oidcUrl,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
});
