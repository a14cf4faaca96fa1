import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decide, type SilentRun } from '../../../../../shared/domain/evaluation/sweeping/decide.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 1_000 * MINUTE_MS * 60;

const ago = (days: number) =>
  fc.integer({ min: 0, max: days * 24 * 60 * MINUTE_MS }).map((ms) => NOW_MS - ms);
const someRun = fc.record<SilentRun>({
  aliveAtMs: ago(4),
  sentAtMs: fc.oneof(fc.constant(0), ago(4)),
  nudges: fc.nat(12),
  nudgedAtMs: fc.oneof(fc.constant(0), ago(4)),
});
const someMoment = fc.record({
  nowMs: fc.constant(NOW_MS),
  nudgeAfterMs: fc.constant(3 * MINUTE_MS),
  deliveredUntilMs: fc.oneof(fc.constant(0), ago(4)),
  isBehindOthers: fc.boolean(),
});

test('a run with a message that may still wait is left alone for two days', () => {
  fc.assert(
    fc.property(someRun, someMoment, (run, moment) => {
      const { aliveAtMs, sentAtMs, nudgedAtMs } = run;
      const lastSentMs = Math.max(aliveAtMs, sentAtMs, nudgedAtMs);
      fc.pre(lastSentMs > moment.deliveredUntilMs && NOW_MS - aliveAtMs < 2 * 24 * 60 * MINUTE_MS);
      expect(['leave', 'mark']).toContain(decide(run, moment));
    }),
  );
});

test('no run is given up that showed progress within the hour, nor one that was asked for fewer than four times in two days', () => {
  fc.assert(
    fc.property(someRun, someMoment, (run, moment) => {
      const { aliveAtMs, nudges } = run;
      if (decide(run, moment) !== 'give_up') return;
      expect(NOW_MS - aliveAtMs).toBeGreaterThanOrEqual(60 * MINUTE_MS);
      if (NOW_MS - aliveAtMs < 2 * 24 * 60 * MINUTE_MS) expect(nudges).toBeGreaterThanOrEqual(4);
    }),
  );
});

test('a silent run of which nothing waits is asked for until it is given up', () => {
  for (const isBehindOthers of [false, true]) {
    let run: SilentRun = { aliveAtMs: 0, sentAtMs: 0, nudges: 0, nudgedAtMs: 0 };
    let minute = 1;
    for (; minute < 10_000; minute++) {
      const nowMs = minute * MINUTE_MS;
      const decision = decide(run, {
        ...{ nowMs, nudgeAfterMs: 3 * MINUTE_MS, isBehindOthers },
        deliveredUntilMs: Number.POSITIVE_INFINITY,
      });
      if (decision === 'give_up') break;
      if (typeof decision === 'object') run = { ...run, nudges: decision.nudges, nudgedAtMs: nowMs };
    }
    expect(minute).toBe(isBehindOthers ? 24 * 60 : 60);
  }
});
