import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { retentionDueKey, retentionsDue } from '../../../shared/storage/table/keys.ts';
import type { Gate } from '../runs/gate.ts';
import { dyingTable } from './dyingTable.ts';
import { seen, startUpgrading, type Upgrading } from './upgrading.ts';

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await startUpgrading();
});
afterAll(() => upgrading.stop());

async function gateWithRuns(): Promise<{ gate: Gate; runs: string[] }> {
  const { run, evaluator } = upgrading;
  upgrading.day(0);
  const gate = await upgrading.gate();
  const runs = [await run(gate), await run(gate, 'async'), await run(gate)];
  await evaluator.work();
  upgrading.day(13);
  return { gate, runs };
}

async function expectExtended(gate: Gate, runs: readonly string[]): Promise<void> {
  upgrading.day(300);
  for (const id of runs)
    expect(await seen(gate, id)).toEqual({ run: 200, results: 1, listed: true, total: 3 });
  expect(await upgrading.service.table.get(retentionDueKey(gate.project.org_id))).toBeUndefined();
}

test.each([true, false])(
  'an extension that dies at any of its operations (done: %s), and loses its message, is brought to its end',
  async (isDone) => {
    const { evaluator, service } = upgrading;
    for (let operations = 1, lived = false; !lived; operations++) {
      const { gate, runs } = await gateWithRuns();
      await upgrading.changePlan(gate, 'pro', 'message lost');
      upgrading.day(13.1);
      expect(await evaluator.resume()).toBe(1);
      lived = await evaluator.step(dyingTable(service.table, operations, isDone));
      expect(operations).toBeLessThan(30);
      evaluator.messages.splice(0);
      await evaluator.resume();
      await evaluator.work();
      await expectExtended(gate, runs);
    }
    expect(await service.table.query(retentionsDue)).toEqual([]);
  },
);

test('messages that come twice, late and at the same time extend the same runs once', async () => {
  const { evaluator } = upgrading;
  const { gate, runs } = await gateWithRuns();
  await upgrading.changePlan(gate, 'pro');
  const late = evaluator.messages[0];
  await upgrading.changePlan(gate, 'scale');
  upgrading.day(13.1);
  await Promise.all(evaluator.messages.map(() => evaluator.step()));
  await evaluator.work();
  if (late !== undefined) evaluator.send(late.message);
  await evaluator.work();
  await expectExtended(gate, runs);
});

test('an extension under way gets no reminder, one that makes no progress does', async () => {
  const { evaluator, service } = upgrading;
  const { gate } = await gateWithRuns();
  await upgrading.changePlan(gate, 'pro', 'message lost');
  const after = (minutes: number) => {
    service.clock.ms = Date.parse('2036-03-14T09:30:00.000Z') + (minutes / 1_440) * DAY_MS;
  };
  const asked: number[] = [];
  for (const minutes of [1, 19, 21, 30, 42]) {
    after(minutes);
    asked.push(await evaluator.resume('when it stands still'));
  }
  expect(asked).toEqual([0, 0, 1, 0, 1]);
  await evaluator.work();
  expect(await evaluator.resume()).toBe(0);
});
