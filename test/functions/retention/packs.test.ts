import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dropExpired } from '../../support/dropExpired.ts';
import { textsOfItems } from '../../support/textsOfItems.ts';
import type { Gate } from '../runs/gate.ts';
import { startUpgrading, type Upgrading } from './upgrading.ts';

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await startUpgrading();
});
afterAll(() => upgrading.stop());

/** No scorer of these tests reads or quotes it: results never hold it. */
const newWord = (): string => `w${randomBytes(8).toString('hex')}`;

async function asyncRun(gate: Gate): Promise<void> {
  const id = await upgrading.run(gate, 'async');
  await upgrading.evaluator.work();
  const { data } = (await gate.client('GET', `/v1/runs/${id}`)).body;
  expect(data.status).toBe('cleared');
}

/** What DynamoDB still holds of this suite. */
async function itemsOf({ suite }: Gate) {
  await dropExpired(upgrading.service, upgrading.service.clock.ms ?? 0);
  return (await upgrading.service.items()).filter(({ pk }) => String(pk).endsWith(suite.id));
}

const holds = async (gate: Gate, word: string): Promise<boolean> =>
  textsOfItems(await itemsOf(gate)).some((text) => text.includes(word));

test.each(['edited', 'deleted'] as const)(
  'what was %s in a case leaves the packs that runs read within 7 days, while the suite goes on being run',
  async (how) => {
    const { day, gate: newGate } = upgrading;
    const from = how === 'edited' ? 0 : 100;
    day(from);
    const gate = await newGate();
    const word = newWord();
    const { id } = await gate.add({}, { expected: word });
    for (const days of [0, 3, 5]) {
      day(from + days);
      await asyncRun(gate);
    }
    const path = `/v1/cases/${id}`;
    const changed = await (how === 'edited'
      ? gate.client('PATCH', path, { expected: 'another' })
      : gate.client('DELETE', path));
    expect(changed.status).toBeLessThan(300);
    for (const days of [5, 8, 11]) {
      day(from + days);
      await asyncRun(gate);
      expect(await holds(gate, word)).toBe(true);
    }
    day(from + 12.1);
    const packs = (await itemsOf(gate)).filter(({ sk }) => /^(PACK|PLAN)#/.test(String(sk)));
    expect(textsOfItems(packs).some((text) => text.includes(word))).toBe(false);
    // A deleted case itself is kept for 30 days.
    expect(await holds(gate, word)).toBe(how === 'deleted');
    day(from + 35.1);
    expect(await holds(gate, word)).toBe(false);
  },
);

test('the packs of a deleted suite are gone within 7 days, and those of a deleted project', async () => {
  const { day, gate: newGate, evaluator } = upgrading;
  day(200);
  const [ofSuite, ofProject] = [await newGate(), await newGate()];
  for (const gate of [ofSuite, ofProject]) await asyncRun(gate);
  const { client, project, suite } = ofSuite;
  expect((await client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`)).status).toBe(204);
  expect((await ofProject.client('DELETE', `/v1/projects/${ofProject.project.slug}`)).status).toBe(204);
  for (const days of [200.1, 203.2]) {
    day(days);
    await evaluator.purge();
  }
  day(207.1);
  for (const gate of [ofSuite, ofProject]) {
    const kinds = (await itemsOf(gate)).map(({ sk }) => String(sk).replace(/#.*/, ''));
    expect(kinds.filter((kind) => kind === 'PACK' || kind === 'PLAN')).toEqual([]);
  }
});
