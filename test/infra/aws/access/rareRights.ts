import { expect, test } from '@jest/globals';
import { WORKERS } from '../../../../infra/aws/functions.ts';
import { DAY_MS, monthOf, timestamp } from '../../../../shared/domain/time.ts';
import { RECEIVES_MAX } from '../../../../shared/queue/settings.ts';
import { makeKey } from '../../../functions/apiKeys/organisation.ts';
import { checkout, newBuyer, newOrganisation, newSubscriber } from '../../../functions/billing/buyer.ts';
import { makeGate } from '../../../functions/runs/gate.ts';
import { ended, submit } from '../../../support/stage.ts';
import { setUsed } from '../../../support/usage.ts';
import type { Cloud } from '../cloud/cloud.ts';
import { withoutRight } from '../cloud/mistakes.ts';

const MINUTE_MS = 60_000;
/** Of an organisation. */
const KEYS_MAX = 50;

/** The rights that few requests need. */
export function rareRights(cloud: Cloud): void {
  const { baseUrl, stripe, deployed, table } = cloud;

  test('keys of cases and scorers that change leave the former ones free', async () => {
    const gate = await makeGate(baseUrl);
    const { id, scorer_id } = await gate.add({ key: 'a' }, { key: 'a' });
    for (const path of [`/v1/cases/${id}`, `/v1/scorers/${scorer_id}`])
      expect((await gate.client('PATCH', path, { key: 'b' })).status).toBe(200);
    expect(await gate.add({ key: 'a' }, { key: 'a' })).toMatchObject({ key: 'a' });
  });

  test('a paid subscription is changed by a checkout: overage is reported, runs are kept longer, analytics answer', async () => {
    const buyer = await newBuyer(cloud, stripe);
    buyer.subscribe('price_pro');
    expect((await checkout(buyer.client, 'scale')).status).toBe(200);
    expect(await buyer.plan()).toBe('scale');
    const gate = await makeGate(baseUrl, {}, buyer.client);
    await gate.add({});
    await gate.run('ok');
    await gate.run('no');
    for (const [figures, length] of [
      ['trends', 1],
      ['regressions', 1],
    ] as const) {
      const { status, body } = await buyer.client('GET', `/v1/suites/${gate.suite.id}/${figures}`);
      expect({ status, length: body.data?.length }).toEqual({ status: 200, length });
    }
  });

  test('runs beyond the plan are reported once, and an event that changes nothing is accepted', async () => {
    const buyer = await newSubscriber(cloud, stripe);
    await setUsed(table, buyer.orgId, monthOf(timestamp(Date.now())), 15_007);
    await cloud.tick(WORKERS.reportOverage);
    await cloud.tick(WORKERS.reportOverage);
    expect(stripe.reported(buyer.customer)).toBe(7);
    expect((await buyer.tell('customer.subscription.updated')).status).toBe(200);
    expect(await buyer.plan()).toBe('pro');
  });

  test('a run whose evaluator fails every time ends aborted by its dead letter, and is not counted', async () => {
    const gate = await makeGate(baseUrl);
    await gate.add({});
    const broken = withoutRight(deployed, WORKERS.evaluate, 'dynamodb:BatchGetItem');
    await cloud.deploy({ deployed: broken, retryDelaySeconds: 0 });
    const id = await submit(gate.client, { suite: gate.suite.slug, output: 'ok' });
    expect(await ended(gate.client, id)).toMatchObject({
      status: 'aborted',
      inconclusive: true,
      errored_cases: 1,
    });
    expect((await gate.client('GET', '/v1/billing/usage')).body.current_usage).toBe(0);
    const failed = cloud.errors().filter(({ code }) => code === 'message_failed');
    expect(failed.at(-1)?.receives).toBe(RECEIVES_MAX);
  });

  test('an hour later the sweeper gives a run up, a key has expired, and a month later a deleted suite is purged', async () => {
    await cloud.deploy({ deployed: { ...deployed, eventSources: [] } });
    const gate = await makeGate(baseUrl);
    await gate.add({});
    const id = await submit(gate.client, { suite: gate.suite.slug, output: 'ok' });
    const sweep = () => cloud.tick(WORKERS.sweep, { remindAfterMs: 1 }) as Promise<{ askedAgain: number }>;
    // The run has no progress: the sweeper sends its messages again.
    for (let asked = 0; asked < 4; asked += (await sweep()).askedAgain);

    const { client } = await newOrganisation(baseUrl);
    const expires_at = timestamp(Date.now() + 62 * MINUTE_MS);
    for (let keys = 1; keys < KEYS_MAX; keys++) await makeKey(client, keys === 1 ? { expires_at } : {});
    expect((await client('POST', '/v1/api-keys', { name: 'One too many' })).status).toBe(400);

    const deleted = await makeGate(baseUrl);
    await deleted.add({});
    const suitePath = `/v1/projects/${deleted.project.slug}/suites/${deleted.suite.slug}`;
    expect((await deleted.client('DELETE', suitePath)).status).toBe(204);

    await cloud.deploy({ deployed: { ...deployed, eventSources: [] }, clockAheadMs: 70 * MINUTE_MS });
    // Its messages wait in the queue.
    expect(await cloud.tick(WORKERS.sweep)).toEqual({ askedAgain: 0, ended: 0, failed: 0 });
    expect(await sweep()).toEqual({ askedAgain: 0, ended: 1, failed: 0 });
    expect(await ended(gate.client, id)).toMatchObject({ status: 'aborted', inconclusive: true });
    expect((await client('POST', '/v1/api-keys', { name: 'In its place' })).status).toBe(201);
    await cloud.deploy({ deployed: { ...deployed, eventSources: [] }, clockAheadMs: 31 * DAY_MS });
    expect(await cloud.tick(WORKERS.purge)).toBeGreaterThanOrEqual(1);
  });

  test.each([
    ['batch_completed', 'failed', 'number'],
    ['sweep_completed', 'ended', 'number'],
  ])('%s lines have the field that a metric reads: %s', (code, field, type) => {
    const found = cloud.lines.filter((line) => line.code === code);
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(typeof line[field]).toBe(type);
  });

  test('functions were refused only the rights that a test took away', () => {
    expect(new Set(cloud.records.refused.map(({ functionId, action }) => `${functionId} ${action}`))).toEqual(
      new Set([`${WORKERS.evaluate} dynamodb:BatchGetItem`]),
    );
    expect(cloud.errors().filter(({ functionId }) => functionId !== WORKERS.evaluate)).toEqual([]);
  });
}
