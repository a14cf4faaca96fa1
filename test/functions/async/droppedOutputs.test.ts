import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { eventually } from '../../support/service.ts';
import { ended, newClient, submit } from '../../support/stage.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const SENT = /^(PAYLOAD|OUTPUTS)#/;

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

/** What the table has of outputs that were sent for a suite. */
const kept = async ({ suite, project }: Gate): Promise<string[]> => {
  const pk = `ORG#${project.org_id}#SUITE#${suite.id}`;
  const items = await stage.table.query({ pk, prefix: '' }, { withExpired: true });
  return items.map(({ sk }) => String(sk)).filter((sk) => SENT.test(sk));
};

async function newGate(fields: Readonly<Record<string, unknown>> = {}): Promise<Gate> {
  const gate = await makeGate(stage.service.baseUrl, fields, (await newClient(stage)).client);
  const config = { values: ['yes'] };
  const scorer = await makeScorer(gate.client, gate.project, { type: 'contains', config });
  for (const key of ['a', 'b']) await makeCase(gate.client, gate.suite, scorer, { key, name: key });
  return gate;
}

const send = ({ client, suite }: Gate, fields: object): Promise<string> =>
  submit(client, { suite: suite.slug, async: true, ...fields });

const LARGE = 'yes '.repeat(200_000);
const OWN = { outputs: ['a', 'b'].map((name) => ({ case: name, output: LARGE })) };

describe.each(['none', 'failed', 'all'])(
  'of a queued run of a suite that keeps %s of its outputs',
  (keep_outputs) => {
    test.each([
      ['one output', { output: LARGE }, 'cleared'],
      ['one output that fails', { output: 'no' }, 'aborted'],
      ['outputs of each case, in several blocks', OWN, 'cleared'],
      ['outputs of which one is missing', { outputs: OWN.outputs.slice(1) }, 'aborted'],
    ])('%s: nothing that was sent is left once it has ended', async (_, fields, status) => {
      const gate = await newGate({ keep_outputs });
      expect((await ended(gate.client, await send(gate, fields))).status).toBe(status);
      expect(await kept(gate)).toEqual([]);
    });
  },
);

const UNJUDGED = { status: 'aborted', inconclusive: true };

test('of a queued run that ends without being judged nothing that was sent is left either', async () => {
  const gates: Gate[] = [];
  for (let each = 0; each < 4; each++) gates.push(await newGate());
  const [emptied, deleted, changed, misfit] = gates as [Gate, Gate, Gate, Gate];
  const casesOf = async ({ client, suite }: Gate) =>
    (await client('GET', `/v1/suites/${suite.id}/cases`)).body.data;
  const { body } = await changed.client('GET', `/v1/suites/${changed.suite.id}/revision`);
  const [first] = await casesOf(misfit);
  await misfit.client('PATCH', `/v1/cases/${first.id}`, { sample_count: 2 });
  stage.queue.isDown = true;
  const ids = [
    await send(emptied, OWN),
    await send(deleted, { output: LARGE }),
    await send(changed, { ...OWN, suite_digest: body.data.digest }),
    await send(misfit, { outputs: [...OWN.outputs, OWN.outputs[0]] }),
  ];
  for (const gate of gates) expect((await kept(gate)).length).toBeGreaterThan(0);
  for (const { id } of await casesOf(emptied)) await emptied.client('DELETE', `/v1/cases/${id}`);
  await deleted.client('DELETE', `/v1/projects/${deleted.project.slug}/suites/${deleted.suite.slug}`);
  await changed.client('PATCH', `/v1/cases/${(await casesOf(changed))[0].id}`, { threshold: 0.6 });
  await misfit.client('PATCH', `/v1/cases/${first.id}`, { sample_count: 1 });
  stage.queue.isDown = false;
  await stage.sweep();
  for (const [index, gate] of gates.entries()) {
    expect(await ended(gate.client, ids[index] ?? '')).toMatchObject(UNJUDGED);
    await eventually(async () => (await kept(gate)).length === 0);
  }
});
