import { expect, test } from '@jest/globals';
import {
  covers,
  failsRequired,
  waivedCases,
} from '../../../../../shared/domain/runs/baseline/carriedWaiver.ts';
import type { WaivedCases } from '../../../../../shared/domain/runs/baseline/ports.ts';

const waived = (failed: number[], errored: number[] = []): WaivedCases => ({ failed, errored });

test.each<[string, WaivedCases, WaivedCases, boolean]>([
  ['the same cases', waived([1, 2], [3]), waived([1, 2], [3]), true],
  ['fewer cases', waived([1, 2], [3]), waived([2]), true],
  ['another failed case', waived([1]), waived([1, 2]), false],
  ['a case that was errored, and fails', waived([1], [3]), waived([1, 3]), false],
  ['a case that failed, and is errored', waived([1, 2]), waived([1], [2]), true],
  ['an errored case that the waiver never covered', waived([1]), waived([1], [2]), false],
  ['one of several errored cases uncovered', waived([1], [3]), waived([1], [3, 4]), false],
])('a run with %s carries a waiver only if the waiver covers all of them', (_, waiver, run, carries) => {
  expect(covers(waiver, run)).toBe(carries);
});

const idOf = (number: number): string => {
  const hex = number.toString(16).padStart(8, '0');
  return `00000000-0000-8000-8000-${hex}0000`;
};
const one = (number: number, fields: object) => ({
  id: idOf(number),
  advisory: false,
  passed: false,
  errored: false,
  mustPass: false,
  ...fields,
});

test('a waiver is of the gating cases that did not pass: failed and errored ones apart', () => {
  const cases = [one(1, { passed: true }), one(2, {}), one(3, { errored: true }), one(4, { advisory: true })];
  const { failed, errored } = waivedCases(cases);
  expect([failed.length, errored.length]).toEqual([1, 1]);
  expect(failed).not.toEqual(errored);
});

test.each<[string, object, boolean]>([
  ['failed', {}, true],
  ['was errored', { errored: true }, true],
  ['passed', { passed: true }, false],
  ['is advisory', { advisory: true }, false],
])('a case that must pass and %s decides whether a run is waivable', (_, fields, fails) => {
  expect(failsRequired([one(1, { ...fields, mustPass: true })])).toBe(fails);
  expect(failsRequired([one(1, fields)])).toBe(false);
});
