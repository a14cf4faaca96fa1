import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decide, type SilentRun } from '../../../../../shared/domain/evaluation/sweeping/decide.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 1_000 * MINUTE_MS * 60;

const ago = (days: number) =>
  fc.integer({ min: 0, max: days * 24 * 60 * MINUTE_MS }).map((ms) => NOW_MS - ms);
const someRun = fc.record<SilentRun>({
  aliveAtMs: ago(4),
  reminders: fc.nat(12),
  remindedAtMs: fc.oneof(fc.constant(0), ago(4)),
});
const someMoment = fc.record({
  nowMs: fc.constant(NOW_MS),
  remindAfterMs: fc.constant(3 * MINUTE_MS),
  isBusy: fc.boolean(),
});

test('no run is given up within an hour of its last progress, nor within a day while it may wait behind others, nor with fewer than four reminders in two days', () => {
  fc.assert(
    fc.property(someRun, someMoment, (run, moment) => {
      const { aliveAtMs, reminders } = run;
      if (decide(run, moment) !== 'give_up') return;
      expect(NOW_MS - aliveAtMs).toBeGreaterThanOrEqual((moment.isBusy ? 24 * 60 : 60) * MINUTE_MS);
      if (NOW_MS - aliveAtMs < 2 * 24 * 60 * MINUTE_MS) expect(reminders).toBeGreaterThanOrEqual(4);
    }),
  );
});

test.each([
  [false, [3, 9, 21, 45], 60],
  [true, [30, 90, 210, 450, 930], 24 * 60],
])(
  'a silent run that may wait behind others: %s, gets reminders after %j minutes and is given up after %i',
  (isBusy, asked, givenUp) => {
    let run: SilentRun = { aliveAtMs: 0, reminders: 0, remindedAtMs: 0 };
    const reminded: number[] = [];
    let minute = 1;
    for (; minute < 10_000; minute++) {
      const nowMs = minute * MINUTE_MS;
      const decision = decide(run, { nowMs, remindAfterMs: 3 * MINUTE_MS, isBusy });
      if (decision === 'give_up') break;
      if (decision === 'leave') continue;
      run = { ...run, reminders: decision.reminders, remindedAtMs: nowMs };
      reminded.push(minute);
    }
    expect({ reminded, minute }).toEqual({ reminded: asked, minute: givenUp });
  },
);
