import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { sized } from '../../support/soak.ts';
import { type Days, daysOf, passing } from './days.ts';

let days: Days<EngineService>;
beforeAll(async () => {
  days = daysOf(await startEngineService());
});
afterAll(() => days.stop());

const DAYS = sized(30, 90);

test('trends of many days with runs cost a dozen read units, however many runs there are', async () => {
  days.day(0);
  const gate = await days.gate();
  for (let day = 0; day < DAYS; day++) {
    days.day(day);
    for (let nth = 0; nth < (day % 3) + 1; nth++) await gate.run(passing(nth));
  }
  const cost = await costOf(days.service, () => days.trends(gate, '?days=90'));
  expect(await days.trends(gate, '?days=90')).toHaveLength(DAYS);
  expect(cost.write).toBe(0);
  expect(cost.read).toBeLessThanOrEqual(12);
  const short = await costOf(days.service, () => days.trends(gate, '?days=1'));
  expect(short.read).toBeLessThanOrEqual(5);
});

test('regressions of a suite with many runs cost a few read units and no write', async () => {
  days.day(0);
  const gate = await days.gate();
  for (let nth = 0; nth < 30; nth++) await gate.run(passing(nth % 5));
  const cost = await costOf(days.service, () =>
    gate.client('GET', `/v1/suites/${gate.suite.id}/regressions`),
  );
  expect(cost.write).toBe(0);
  expect(cost.read).toBeLessThanOrEqual(12);
});
