import { expect, test } from '@jest/globals';
import { BAD, useGate, useWorld } from './world.ts';

const world = useWorld();
const gate = useGate(world);
const LINE = '1 commit judged again, 1 disagreed: too few for a figure.';

test('the summary, and no comment, shows how often the bar contradicted itself, unless the suite has another bar now', async () => {
  const first = await gate.run({ claims: { run_id: '501' }, files: { 'answer.txt': BAD } });
  expect(first.summary).not.toContain('judged again');
  const second = await gate.run({ event: 'schedule', claims: { run_id: '502' } });
  expect(second).toMatchObject({ code: 0, summary: expect.stringContaining(LINE) });
  expect(JSON.stringify([...world.github.comments])).not.toContain('judged again');
  await gate.client.suites.update('bot', 'returns', { pass_threshold: 0.5 });
  const other = await gate.run({ claims: { run_id: '503' } });
  expect(other).toMatchObject({ code: 0, summary: expect.not.stringContaining('judged again') });
});
