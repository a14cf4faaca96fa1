import { beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiAnswer, sharedServiceUrl } from '../../support/api.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const url = sharedServiceUrl();

let gate: Gate;
beforeEach(async () => {
  gate = await makeGate(url, { name: 'Other', slug: 'other' });
});

const says = (text: string) => ({ type: 'contains', config: { values: [text] } });
const definition = (changes: object = {}) => ({
  version: 1,
  suite: 'returns',
  pass_threshold: 0.5,
  scorers: { first: says('30 days'), second: says('please') },
  cases: [
    { key: 'a', scorer: 'first', input: {} },
    { key: 'b', scorer: 'second', input: {} },
  ],
  ...changes,
});
/** It changes all that `definition` has. */
const OTHER = definition({
  pass_threshold: 0.6,
  scorers: { first: says('14 days'), second: says('thanks') },
  cases: [
    { key: 'a', scorer: 'first', input: {}, weight: 2 },
    { key: 'b', scorer: 'second', input: {}, weight: 2 },
    { key: 'new', scorer: 'second', input: {} },
  ],
});

function dataOf({ status, body }: ApiAnswer) {
  expect({ ok: status < 300, error: body.error }).toEqual({ ok: true, error: undefined });
  return body.data;
}

const put = async (sent: object, options: object = {}, suite = 'returns') => {
  const path = `/v1/projects/${gate.project.slug}/suites/${suite}/definition`;
  return dataOf(await gate.client('PUT', path, { definition: sent, allow_weaker: true, ...options }));
};
/** What the plan calls written by hand. */
const editsByHand = async (sent: object = OTHER, options: object = {}): Promise<string[]> =>
  (await put(sent, { dry_run: true, ...options })).changes
    .filter(({ by_hand }: { by_hand: boolean }) => by_hand)
    .map(({ kind, key, action }: Record<string, string>) => `${action} ${kind} ${key}`);

const suitePath = () => `/v1/projects/${gate.project.slug}/suites/returns`;
const suiteId = async (): Promise<string> => dataOf(await gate.client('GET', suitePath())).id;
const cases = async () => dataOf(await gate.client('GET', `/v1/suites/${await suiteId()}/cases`));
const caseOf = async (key: string) => (await cases()).find((one: { key: string }) => one.key === key);
const patchCase = async (key: string, fields: object) =>
  dataOf(await gate.client('PATCH', `/v1/cases/${(await caseOf(key)).id}`, fields));

describe('by_hand of a change', () => {
  test('is false of everything that the last push wrote, and of everything new', async () => {
    await put(definition());
    expect((await put(OTHER, { dry_run: true })).changes).toHaveLength(6);
    expect(await editsByHand()).toEqual([]);
  });

  test('is true of a suite, a scorer and a case that were edited since, and only of these', async () => {
    await put(definition());
    const { scorer_id } = await patchCase('a', { weight: 5 });
    dataOf(await gate.client('PATCH', `/v1/scorers/${scorer_id}`, { name: 'By hand' }));
    expect(await editsByHand()).toEqual(['update scorer first', 'update case a']);
    dataOf(await gate.client('PATCH', suitePath(), { description: 'By hand' }));
    const expected = ['update suite returns', 'update scorer first', 'update case a'];
    expect(await editsByHand()).toEqual(expected);
    const { changes, weaker } = await put(OTHER, { dry_run: true });
    for (const change of weaker) expect(changes).toContainEqual(change);
  });

  test('is true of cases that were made since, whether they stay or go', async () => {
    await put(definition());
    const { scorer_id } = await caseOf('a');
    const made = { key: 'c', name: 'C', input: {}, scorer_id };
    dataOf(await gate.client('POST', `/v1/suites/${await suiteId()}/cases`, made));
    expect(await editsByHand(definition())).toEqual(['keep case c']);
    expect(await editsByHand(definition(), { prune: true })).toEqual(['delete case c']);
  });

  test('is false again after the next push, which takes the edit back or leaves it', async () => {
    await put(definition());
    await patchCase('a', { weight: 5 });
    await patchCase('b', { weight: 5 });
    const [a, b] = definition().cases;
    await put(definition({ cases: [a, { ...b, weight: 5 }] }));
    expect(await editsByHand()).toEqual([]);
  });

  test('is false of a scorer that the push of another suite wrote, and true when that one was edited', async () => {
    await put(definition());
    const moved = { scorers: { ...definition().scorers, first: says('7 days') } };
    await put(definition({ ...moved, suite: 'second' }), {}, 'second');
    expect(await editsByHand()).toEqual([]);
    const { scorer_id } = await caseOf('a');
    dataOf(await gate.client('PATCH', `/v1/scorers/${scorer_id}`, { config: { values: ['8 days'] } }));
    expect(await editsByHand()).toEqual(['update scorer first']);
  });

  test('is false of a suite that was never pushed, and of the order of cases', async () => {
    const suite = dataOf(
      await gate.client('POST', `/v1/projects/${gate.project.slug}/suites`, { name: 'R', slug: 'returns' }),
    );
    dataOf(await gate.client('PATCH', suitePath(), { description: 'By hand' }));
    expect(await editsByHand()).toEqual([]);
    await put(definition());
    const ids = (await cases()).map(({ id }: { id: string }) => id);
    const order = { case_ids: ids.toReversed() };
    expect((await gate.client('POST', `/v1/suites/${suite.id}/cases/reorder`, order)).status).toBeLessThan(
      300,
    );
    expect((await put(definition(), { dry_run: true })).changes).toMatchObject([
      { kind: 'suite', fields: { case_order: {} }, by_hand: false },
    ]);
  });
});
