import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { handler as putDefinition } from '../../../functions/definitions/put.ts';
import type { PushedDefinition } from '../../../shared/contracts/definitionPushes.ts';
import { contextOf, eventOf } from '../../faults/functions.ts';
import { testInSoak } from '../../support/soak.ts';
import { makeWorld, type World } from './world.ts';

/** What Lambda answers at most. */
const ANSWER_BYTES_MAX = 6 * 1_024 * 1_024;

const definitionOf = (cases: readonly object[]) => ({
  version: 1,
  suite: 'large',
  pass_threshold: 0.5,
  scorers: { polite: { type: 'contains', config: { values: ['please'] } } },
  cases,
});
const numbered = <Fields extends object>(count: number, fieldsOfOne: () => Fields) =>
  Array.from({ length: count }, (_, index) => {
    const key = `case-${index}-`.padEnd(100, 'x');
    return { key, scorer: 'polite', ...fieldsOfOne() };
  });
/** Text that no compression shortens much. */
const noise = (bytes: number) => ({ text: randomBytes((bytes * 3) / 4).toString('base64') });

async function put({ runtime, key }: World, body: object, accepted: string): Promise<PushedDefinition> {
  const headers = { 'accept-encoding': accepted };
  const event = eventOf({ params: { slug: 'bot', suiteSlug: 'large' }, body, headers }, key);
  event.requestContext.http.method = 'PUT';
  const answer = await putDefinition.withRuntime(runtime)(event, contextOf('direct'));
  const { statusCode, body: sent = '', isBase64Encoded = false } = answer;
  expect({ statusCode, error: statusCode !== 200 && sent }).toEqual({ statusCode: 200, error: false });
  expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(ANSWER_BYTES_MAX);
  const text = isBase64Encoded ? gunzipSync(Buffer.from(sent, 'base64')).toString() : sent;
  return JSON.parse(text).data;
}

/** Of the one case whose change is shown, as of all others. */
function fieldsOf({ changes, weaker }: PushedDefinition, cases: number) {
  expect([changes.length, weaker.length]).toEqual([cases, cases]);
  expect(changes[1]?.fields).toEqual(weaker[1]?.fields);
  return changes[1]?.fields;
}

const NUMBERS_ONLY = { input: {}, weight: { from: 1, to: 2 } };

test('a plan that is larger than an answer of Lambda leaves out documents, and names every change', async () => {
  const CASES = 2_000;
  const world = await makeWorld();
  const before = numbered(CASES, () => ({ input: noise(1_200) }));
  await put(world, { definition: definitionOf(before) }, 'gzip');

  const blank = definitionOf(numbered(CASES, () => ({ input: {}, weight: 2 })));
  const other = definitionOf(numbered(CASES, () => ({ input: noise(1_200), weight: 2 })));
  const whole = await put(world, { definition: blank, dry_run: true }, 'gzip');
  const from = before[1]?.input;
  expect(fieldsOf(whole, CASES)).toEqual({ input: { from, to: {} }, weight: { from: 1, to: 2 } });

  const plans = [
    await put(world, { definition: other, dry_run: true }, 'gzip'),
    await put(world, { definition: other, dry_run: true }, 'identity'),
  ];
  expect(plans.map((plan) => fieldsOf(plan, CASES))).toEqual(plans.map(() => NUMBERS_ONLY));
  const applied = await put(world, { definition: other, allow_weaker: true }, 'identity');
  expect([applied.applied, fieldsOf(applied, CASES)]).toEqual([true, NUMBERS_ONLY]);
  expect((await put(world, { definition: other }, 'identity')).changes).toEqual([]);
});

testInSoak('a plan that is too large without documents leaves out the names of fields', async () => {
  const CASES = 10_000;
  const world = await makeWorld();
  await put(world, { definition: definitionOf(numbered(CASES, () => ({ input: {} }))) }, 'gzip');
  const changed = {
    name: 'N',
    description: 'D',
    input: { q: 1 },
    expected: { a: 1 },
    tags: ['t'],
    must_pass: true,
    weight: 2.125,
    threshold: 0.125,
    sample_count: 2,
    sample_pass_rate: 0.5,
  };
  const definition = definitionOf(numbered(CASES, () => changed));
  const plain = await put(world, { definition, dry_run: true }, 'identity');
  expect(fieldsOf(plain, CASES)).toEqual({});
  const gzipped = await put(world, { definition, dry_run: true }, 'gzip');
  expect(fieldsOf(gzipped, CASES)).toMatchObject({ input: { from: {}, to: { q: 1 } } });
});
