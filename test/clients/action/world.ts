import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Evalgate } from '../../../clients/sdk/index.ts';
import { sharedServiceUrl } from '../../support/api.ts';
import { type Claims, jobClaims, sharedIssuer } from '../../support/oidc.ts';
import { aGate } from '../gated.ts';
import { type GithubStandIn, startGithub } from './githubStandIn.ts';
import { HEAD_SHA, MERGE_SHA, type Payload, push, REPOSITORY } from './payloads.ts';
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
  /** Of the job, as GitHub gives it. */
  token(claims?: Claims): string;
  /** Runs the action in a job of the repository that the organisation trusts; on a push unless given. */
  run(job?: Job): Promise<Ended>;
  runCount(): Promise<number>;
}

export interface World {
  /** Of the service. */
  readonly url: string;
  readonly github: GithubStandIn;
  /** An organisation whose suite `returns` has the cases `window`, `refund` and `letter`, which want "30 days". */
  gate(): Promise<GateOfTest>;
  stop(): Promise<void>;
}

export const GOOD = 'You can return it within 30 days.';
export const BAD = 'Never.';

const PRELOAD = path.join(import.meta.dirname, 'shorterTime.ts');
/** For a process that waits for GitHub in vain: it does so many times shorter. */
export const faster = (factor: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${PRELOAD} --disable-warning=ExperimentalWarning`,
  TEST_TIME_FACTOR: String(factor),
});

/** The shared service, with a stand-in for GitHub. */
async function startWorld(): Promise<World> {
  const [url, github] = [sharedServiceUrl(), await startGithub()];
  return { url, github, gate: () => makeGate(url, github), stop: () => github.stop() };
}

/** One for all tests of a file, in which pull request 2 is open. */
export function useWorld(): World {
  const world = {} as World;
  beforeAll(async () => void Object.assign(world, await startWorld()));
  beforeEach(() => {
    world.github.reset();
    world.github.pullRequests.set(2, { sha: HEAD_SHA, state: 'open' });
  });
  afterAll(() => world.stop());
  return world;
}

/** One gate for all tests of a file. */
export function useGate(world: World): GateOfTest {
  const gate = {} as GateOfTest;
  beforeAll(async () => void Object.assign(gate, await world.gate()));
  return gate;
}

async function makeGate(url: string, github: GithubStandIn): Promise<GateOfTest> {
  const issuer = sharedIssuer();
  const { gate: client, apiKey, orgId, suiteId } = await aGate(url);
  await client.trustedIssuers.create({ repository: REPOSITORY.name });
  const token = (claims: Claims = {}) => issuer.token({ ...jobClaims(orgId, REPOSITORY), ...claims });
  return {
    client,
    orgId,
    apiKey,
    suiteId,
    token,
    run({ event = 'push', payload = push(), claims, isBundled, inputs, env, files, ...more } = {}) {
      github.token = (aud) => token({ aud, event_name: event, ...claims });
      return (isBundled ? startBundle : runStepHere)({
        ...more,
        payload,
        files: { 'answer.txt': GOOD, ...files },
        inputs: {
          suite: 'returns',
          'output-file': 'answer.txt',
          url,
          organisation: orgId,
          project: 'bot',
          'github-token': 'ghs_of-the-step',
          ...inputs,
        },
        env: { ...variablesOf(event, github), ...env },
      });
    },
    runCount: async () => (await client.runs.list(suiteId).page()).pagination?.total ?? 0,
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
