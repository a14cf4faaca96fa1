import { beforeEach, expect, test } from '@jest/globals';
import type { Claims } from '../../support/oidc.ts';
import { ownTime, silent, useHostile } from '../sdk/hostile.ts';
import { type Payload, pullRequest, REPOSITORY, workflowRun } from './payloads.ts';
import type { Ended } from './runnerStandIn.ts';
import { useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);
const stranger = useHostile();
beforeEach(() => stranger.answers(silent));

/** Of the job, and those that they were exchanged for. */
const tokensOf = (commands: Ended['commands']) =>
  commands.filter(({ name, message }) => name === 'add-mask' && message.startsWith('eyJ'));

test('a job of the repository without the permission for a token ends with 2 and prints what to add', async () => {
  const gate = await world.gate();
  const env = { ACTIONS_ID_TOKEN_REQUEST_URL: '', ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' };
  const { code, outputs, commands } = await gate.run({ env });
  expect([code, outputs.verdict, outputs['exit-code']]).toEqual([2, 'error', '2']);
  expect(commands.at(-1)?.message).toContain('permissions:\n  id-token: write');
  expect(commands.at(-1)?.message).toContain('evalgate trust Codertocat/Hello-World');
  expect(await gate.runCount()).toBe(0);
});

test('a job that no registration trusts ends with 2 for any fail-on, after one token, and prints which job it is', async () => {
  const gate = await world.gate();
  const claims = { repository: 'octo-org/other', repository_id: '1' };
  const { code, commands } = await gate.run({ claims, inputs: { 'fail-on': 'aborted' } });
  expect(code).toBe(2);
  expect(commands.at(-1)?.message).toContain('ref refs/heads/main, workflow "Gate"');
  expect(tokensOf(commands)).toHaveLength(1);
});

test.each<[string, Claims, Claims, readonly string[]]>([
  [
    'another environment',
    { environment: 'prod' },
    { environment: "it's $(next)", ref: 'refs/heads/a;b' },
    [
      'environment "it\'s $(next)".',
      "--ref 'refs/heads/a;b' --workflow gate.yml --environment 'it'\\''s $(next)' --project bot",
    ],
  ],
  [
    'a workflow of its own',
    { workflow: 'gate.yml' },
    { workflow_ref: 'octo-org/central/.github/workflows/gate.yml@refs/heads/main' },
    [
      'whose file is compared: octo-org/central/.github/workflows/gate.yml;',
      `evalgate trust ${REPOSITORY.name} --ref refs/heads/main --project bot`,
    ],
  ],
])(
  'a job whose registration names %s prints the compared claims, and a command that trusts it and few others',
  async (_, conditions, claims, sentences) => {
    const gate = await world.gate();
    for (const { id } of (await gate.client.trustedIssuers.list().page()).data) {
      await gate.client.trustedIssuers.delete(id);
    }
    await gate.client.trustedIssuers.create({ repository: REPOSITORY.name, ...conditions });
    const { code, commands } = await gate.run({ claims });
    expect(code).toBe(2);
    for (const sentence of sentences) expect(commands.at(-1)?.message).toContain(sentence);
  },
);

test.each([
  [502, 'GitHub answered HTTP 502: Server Error'],
  [403, 'GitHub answered HTTP 403: Server Error'],
])('a GitHub that answers %d in place of the token is no verdict, and is named', async (status, sentence) => {
  const gate = await world.gate();
  world.github.oidcAnswers = [[status, { message: 'Server Error' }]];
  const { code, outputs, commands } = await gate.run({ clock: ownTime().environment });
  expect([code, outputs.verdict, outputs['exit-code']]).toEqual([3, 'error', '3']);
  expect(commands.at(-1)?.message).toBe(sentence);
});

test('a credential and a suite that the service does not know end with 2, and what to do is printed', async () => {
  const gate = await world.gate();
  const key = await gate.run({ inputs: { 'api-key': `${gate.apiKey.slice(0, -4)}AAAA` } });
  expect([key.code, key.commands.at(-1)?.message]).toEqual([
    2,
    expect.stringContaining('The input api-key is not valid at http://'),
  ]);
  expect(key.commands.at(-1)?.message).not.toContain('evalgate trust');
  const suite = await gate.run({ inputs: { suite: 'retruns' } });
  expect([suite.code, suite.commands.at(-1)?.message]).toEqual([
    2,
    expect.stringContaining('may run: returns'),
  ]);
});

test('an API key opens the gate where OIDC cannot be had, and is masked', async () => {
  const env = { ACTIONS_ID_TOKEN_REQUEST_URL: '' };
  const { outputs, commands, stdout } = await gate.run({
    env,
    inputs: { 'api-key': gate.apiKey, organisation: '' },
  });
  expect(outputs.verdict).toBe('cleared');
  expect(commands).toContainEqual(expect.objectContaining({ name: 'add-mask', message: gate.apiKey }));
  expect(stdout.split(gate.apiKey)).toHaveLength(2);
});

test.each([
  [
    'of Dependabot',
    'dependabot[bot]',
    'Jobs of Dependabot get secrets of Dependabot only: store the key there',
  ],
  ['of a person', 'octocat', 'secrets: inherit'],
])(
  'an empty api-key in a job %s is named, whether the job could log in by OIDC or not',
  async (_, actor, sentence) => {
    const before = await gate.runCount();
    for (const url of [{}, { ACTIONS_ID_TOKEN_REQUEST_URL: '' }]) {
      const env = { GITHUB_ACTOR: actor, ...url };
      const { code, outputs, commands } = await gate.run({
        env,
        inputs: { 'api-key': ' ', organisation: '' },
      });
      expect([code, outputs.verdict]).toEqual([2, 'error']);
      expect(commands.at(-1)?.message).toContain('Input api-key is empty');
      expect(commands.at(-1)?.message).toContain(sentence);
      expect(commands.at(-1)?.message).toContain('leave the input out');
    }
    expect(await gate.runCount()).toBe(before);
  },
);

const FROM_FILE = { url: '', organisation: '', project: '' };
const theirFile = () => ({
  'evalgate.yaml': JSON.stringify({
    version: 1,
    url: stranger.url,
    organisation: gate.orgId,
    project: 'bot',
  }),
});

test('a service that only evalgate.yaml names never gets an API key', async () => {
  for (const event of ['push', 'pull_request']) {
    const payload = event === 'push' ? undefined : { payload: pullRequest() };
    const inputs = { ...FROM_FILE, 'api-key': gate.apiKey };
    const { code, commands } = await gate.run({ event, ...payload, files: theirFile(), inputs });
    expect(code).toBe(2);
    expect(commands.at(-1)?.message).toContain('no API key is sent there');
  }
  expect(stranger.seen).toEqual([]);
});

test.each<[string, () => Payload]>([
  ['workflow_run', workflowRun],
  ['pull_request_target', pullRequest],
  ['a_later_event', workflowRun],
])(
  'in a job of %s a service that evalgate.yaml names gets no token, and none is requested',
  async (event, payload) => {
    const job = { event, payload: payload(), files: theirFile(), inputs: FROM_FILE };
    const { code, commands } = await gate.run(job);
    expect([code, tokensOf(commands)]).toEqual([2, []]);
    const variables = { EVALGATE_URL: stranger.url, EVALGATE_ORG: gate.orgId, EVALGATE_PROJECT: 'bot' };
    const poisoned = await gate.run({ ...job, env: variables });
    expect([poisoned.code, tokensOf(poisoned.commands)]).toEqual([2, []]);
    expect(stranger.seen).toEqual([]);
  },
);

test('a pull request of the repository whose job gets no token is an error, and not skipped', async () => {
  const payload = pullRequest();
  payload.pull_request.user.login = 'dependabot[bot]';
  const env = { GITHUB_ACTOR: 'dependabot[bot]', ACTIONS_ID_TOKEN_REQUEST_URL: '' };
  const { code, outputs } = await gate.run({ event: 'pull_request', payload, env });
  expect([code, outputs.verdict]).toEqual([2, 'error']);
});
