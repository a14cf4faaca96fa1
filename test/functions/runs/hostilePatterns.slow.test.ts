import { expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { addWordCases, makeGate } from './gate.ts';

const HOSTILE = { type: 'regex', config: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$', flags: '' } };
const OUTPUT = 'a'.repeat(60);

test('a hostile pattern that need not match does not pass by timing out', async () => {
  const gate = await makeGate(sharedServiceUrl());
  await gate.add({ ...HOSTILE, config: { ...HOSTILE.config, should_match: false } });
  expect(await gate.run(OUTPUT)).toMatchObject({ status: 'aborted', errored_cases: 1, inconclusive: true });
});

test('hostile runs do not keep others from their verdict, and the same suite judges a short output', async () => {
  const hostile = await makeGate(sharedServiceUrl());
  for (let count = 0; count < 2; count++) await hostile.add(HOSTILE);
  const innocent = await makeGate(sharedServiceUrl());
  await addWordCases(innocent, ['fine']);
  const attack = Array.from({ length: 3 }, () => hostile.run(OUTPUT));
  const others = await Promise.all(Array.from({ length: 10 }, () => innocent.run('fine')));
  expect(others.map(({ status }) => status)).toEqual(new Array(10).fill('cleared'));
  for (const verdict of await Promise.all(attack)) expect(verdict.errored_cases).toBe(2);
  expect(await hostile.run('abc Abc')).toMatchObject({ errored_cases: 0, status: 'cleared' });
});
