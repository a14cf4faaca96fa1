import { beforeAll, describe, expect, test } from '@jest/globals';
import { WORKERS } from '../../../../infra/aws/functions.ts';
import { makeKey } from '../../../functions/byokKeys/keys.ts';
import { type Gate, makeGate } from '../../../functions/runs/gate.ts';
import { api } from '../../../support/api.ts';
import { eventually } from '../../../support/service.ts';
import { submit } from '../../../support/stage.ts';
import type { Cloud } from '../cloud/cloud.ts';
import type { Deployed } from '../cloud/deployed.ts';
import { withFunction, withoutRight, withoutVariable, withRightFor, withRightOn } from '../cloud/mistakes.ts';

/** Mistakes in templates that the tests of the deployment must detect: one of each kind. */
export function mistakes(cloud: Cloud): void {
  const { baseUrl, deployed, records } = cloud;

  let gate: Gate;
  beforeAll(async () => {
    await cloud.deploy();
    gate = await makeGate(baseUrl, { slug: 'said' });
    await gate.add({});
  });

  /** Deploys a wrong deployment for the duration of `attempt`. */
  async function deploy(wrong: Deployed, attempt: () => Promise<void>): Promise<void> {
    records.refused.length = 0;
    await cloud.deploy({ deployed: wrong });
    try {
      await attempt();
    } finally {
      await cloud.deploy();
    }
  }

  const run = (fields = {}) =>
    gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'ok', ...fields });
  const addKey = () =>
    gate.client('POST', '/v1/byok-keys', { provider: 'openai', key: 'sk-of-nobody-0123456789' });
  const addProject = () => gate.client('POST', '/v1/projects', { name: 'Another' });

  describe('a variable that is missing fails the function, and no other', () => {
    test.each([
      ['runs/create', 'QUEUE_URL', () => run()],
      ['byokKeys/create', 'KMS_KEY_ID', addKey],
    ])('%s without %s', async (id, variable, call) => {
      await deploy(withoutVariable(deployed, id, variable), async () => {
        const before = cloud.errors().length;
        expect((await call()).status).toBe(500);
        expect(
          cloud
            .errors()
            .slice(before)
            .map(({ functionId }) => functionId),
        ).toEqual([id]);
        expect((await gate.client('GET', '/v1/projects')).status).toBe(200);
      });
    });
  });

  describe('a right that is missing fails the function, and is named', () => {
    const table = deployed.table.arn;
    test.each([
      ['projects/create', 'dynamodb:PutItem', table, addProject],
      [
        'byokKeys/create',
        'kms:Encrypt',
        deployed.keys.find(({ usage }) => usage === 'ENCRYPT_DECRYPT')?.arn,
        addKey,
      ],
    ])('%s without %s', async (functionId, action, resource, call) => {
      await deploy(withoutRight(deployed, functionId, action), async () => {
        const before = cloud.errors().length;
        await call();
        expect(records.refused).toContainEqual({ functionId, action, resource });
        expect(
          cloud
            .errors()
            .slice(before)
            .map((line) => line.functionId),
        ).toContain(functionId);
      });
    });

    test('a right on another key than the one that is used', async () => {
      const [other = ''] = deployed.keys.filter(({ usage }) => usage === 'SIGN_VERIFY').map(({ arn }) => arn);
      await deploy(withRightOn(deployed, 'byokKeys/create', 'kms:Encrypt', other), async () => {
        expect((await addKey()).status).toBe(500);
        expect(records.refused).toEqual([
          {
            functionId: 'byokKeys/create',
            action: 'kms:Encrypt',
            resource: expect.not.stringMatching(other),
          },
        ]);
      });
    });

    test('a right to other items than those that are updated', async () => {
      const wrong = withRightFor(deployed, 'templates/list', 'dynamodb:UpdateItem', 'ORG#*');
      await deploy(wrong, async () => {
        // A request that cannot be counted passes.
        expect((await api(baseUrl)('GET', '/v1/templates')).status).toBe(200);
        expect(records.refused).toContainEqual({
          functionId: 'templates/list',
          action: 'dynamodb:UpdateItem',
          resource: table,
        });
      });
    });

    test('an evaluator that may not open keys ends no run with a verdict', async () => {
      await makeKey(gate.client);
      const judged = await makeGate(baseUrl, { slug: 'judged' }, gate.client);
      await judged.add({ type: 'llm_judge', config: { rubric: 'Is it right?', _provider: 'openai' } });
      await deploy(withoutRight(deployed, WORKERS.evaluate, 'kms:Decrypt'), async () => {
        await submit(gate.client, { suite: judged.suite.slug, output: 'Paris' });
        await eventually(() => records.refused.some(({ action }) => action === 'kms:Decrypt'));
      });
    });

    test('a consumer that may not receive leaves its queue as it is', async () => {
      await deploy(withoutRight(deployed, WORKERS.evaluate, 'sqs:ReceiveMessage'), async () => {
        const id = await submit(gate.client, { suite: gate.suite.slug, output: 'ok' });
        await eventually(() => records.refused.some(({ action }) => action === 'sqs:ReceiveMessage'));
        expect((await gate.client('GET', `/v1/runs/${id}`)).body.data.status).toBe('pending');
      });
    });
  });

  test('an origin that expects another secret serves no request', async () => {
    const variables = { ORIGIN_SECRETS: 'x'.repeat(48) };
    const wrong = withFunction(deployed, 'templates/list', (fn) => ({
      variables: { ...fn.variables, ...variables },
    }));
    await deploy(wrong, async () => {
      // No operation documents it: clients never reach an API without its edge.
      expect((await fetch(`${baseUrl}/v1/templates`)).status).toBe(404);
    });
  });

  test('a mapping with a visibility timeout below the function’s timeout is refused', async () => {
    const slow = withFunction(deployed, WORKERS.evaluate, () => ({ timeoutSeconds: 6_000 }));
    await expect(deploy(slow, async () => {})).rejects.toThrow('is less than Function timeout');
  });
}
