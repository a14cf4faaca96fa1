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

test('of a queued run whose suite is deleted, and which ends without being judged, nothing that was sent is left either', async () => {
  const gates: Gate[] = [];
  for (let each = 0; each < 2; each++) gates.push(await newGate());
  stage.queue.isDown = true;
  const ids: string[] = [];
  for (const [index, gate] of gates.entries())
    ids.push(await send(gate, index === 0 ? OWN : { output: LARGE }));
  for (const { client, project, suite } of gates) {
    await client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
  }
  for (const gate of gates) expect((await kept(gate)).length).toBeGreaterThan(0);
  stage.queue.isDown = false;
  await stage.sweep();
  for (const [index, gate] of gates.entries()) {
    const run = await ended(gate.client, ids[index] ?? '');
    expect(run).toMatchObject({ status: 'aborted', inconclusive: true });
    await eventually(async () => (await kept(gate)).length === 0);
  }
});
