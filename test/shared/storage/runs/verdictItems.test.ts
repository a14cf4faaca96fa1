import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { faultSchema } from '../../../../shared/contracts/gates.ts';
import { NOTHING_LEFT } from '../../../../shared/domain/evaluation/conclude.ts';
import type { VerdictRecord } from '../../../../shared/domain/runs/ports.ts';
import { shownVerdict } from '../../../../shared/domain/runs/results/shownVerdict.ts';
import { NO_RECORD } from '../../../../shared/domain/runs/results/verdictRecord.ts';
import { foldVerdict } from '../../../../shared/scoring/verdict/foldVerdict.ts';
import { evaluationStore } from '../../../../shared/storage/evaluation/evaluations.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { readVerdictRecord, verdictAttributes } from '../../../../shared/storage/runs/verdictItems.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { bars, casesUpTo } from '../../scoring/verdict/model.ts';
import { resultOf } from '../results.ts';
import { admission, finishedRun, makeStoredSuite, runOf } from '../stored.ts';
import '../../../support/seed.ts';
import { sized } from '../../../support/soak.ts';

const memory = new MemoryTable(Date.now);
const made = await makeStoredSuite(memory);

const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/).map((digits) => `sha256:${digits}`);
const share = fc.oneof(fc.constantFrom(0, 1e-100), fc.double({ min: 1e-9, max: 1, noNaN: true }));
const anyText = fc.string({ unit: 'binary', maxLength: 30 });

const anyNotice = fc.record(
  {
    code: fc.constant('ADVISORY_EXPIRING' as const),
    message: anyText,
    case_id: fc.uuid(),
    key: anyText,
    expires_at: fc.constant('2036-05-05T10:00:00.000Z'),
  },
  { requiredKeys: ['code', 'message'], noNullPrototype: true },
);

/** Of verdicts with all kinds of gates, over cases whose ids are UUIDs, as the service makes them, or other names. */
const anyKept = fc
  .tuple(casesUpTo(6), bars, fc.array(fc.option(fc.uuid()), { minLength: 6, maxLength: 6 }))
  .map(([cases, bar, ids]) => {
    const named = cases.map((one, at) => ({ ...one, id: ids[at] ?? one.id, key: ids[at] ?? one.key }));
    return foldVerdict(named, bar).kept;
  });
const anyKeptOfUuids = anyKept.filter(
  (kept) => kept.flips?.slice(2).every((id) => String(id).startsWith('=')) ?? true,
);

const anyCompared = fc.record(
  {
    name: fc.stringMatching(/^[0-9a-f]{20}$/),
    newlyFailing: fc.array(fc.oneof(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,30}$/), fc.uuid()), {
      maxLength: 20,
    }),
    newlyFailingCount: fc.nat(),
    difference: fc.double({ min: -1, max: 1, noNaN: true }).map((value) => value + 0),
    pValue: fc.double({ min: 0, max: 1, noNaN: true }),
    comparable: fc.boolean(),
  },
  { noNullPrototype: true },
);

const anyRecord: fc.Arbitrary<VerdictRecord> = fc.record(
  {
    suite_digest: fc.option(sha256),
    outputs_digest: fc.option(sha256),
    judge_usage: fc.option(
      fc.record(
        { calls: fc.nat(), remembered: fc.nat(), input_tokens: fc.nat(), output_tokens: fc.nat() },
        { noNullPrototype: true },
      ),
    ),
    missing_cases: fc.nat(),
    advisory_cases: fc.nat(),
    advisory_failed_cases: fc.nat(),
    surplus_outputs: fc.nat(),
    surplus: fc.array(anyText, { maxLength: 20 }),
    pass_threshold: fc.option(share),
    notices: fc.array(anyNotice, { maxLength: 3 }),
    kept: fc.option(fc.oneof(anyKept, anyKeptOfUuids)),
    isSingle: fc.boolean(),
    compared: fc.option(anyCompared),
    waived: fc.option(fc.nat()),
    fault: fc.constantFrom(...faultSchema.options),
  },
  {
    requiredKeys: [
      ...([
        'suite_digest',
        'outputs_digest',
        'judge_usage',
        'missing_cases',
        'advisory_cases',
        'advisory_failed_cases',
      ] as const),
      ...(['surplus_outputs', 'surplus', 'pass_threshold', 'notices', 'kept'] as const),
      ...(['isSingle', 'compared', 'waived'] as const),
    ],
    noNullPrototype: true,
  },
);

test('what a run keeps of its verdict comes back from its item as it was', () => {
  fc.assert(
    fc.property(anyRecord, (record) => {
      expect(readVerdictRecord(verdictAttributes(record))).toStrictEqual(record);
    }),
    { numRuns: sized(120, 500) },
  );
});

test('an item holds only what a run states: nothing of a pending one', () => {
  expect(verdictAttributes(NO_RECORD)).toEqual({});
});

describe('through the table', () => {
  const runs = () => runStore(memory, randomUUID);
  const aFew = { numRuns: 15 };
  /** What is answered of it. */
  const shown = (record: VerdictRecord) =>
    shownVerdict({ suite_id: made.suite.id, status: 'cleared', pass_rate: 1 }, record);

  test('the run that was scored at once answers what it keeps, at once and later', async () => {
    const law = fc.asyncProperty(anyRecord, async (record) => {
      const finished = finishedRun(made, [resultOf(0, 'x')]);
      const run = runOf(await runs().commit({ ...finished, run: { ...finished.run, ...record } }));
      expect(run).toMatchObject(shown(record));
      expect(await runs().find(made.orgId, run.id)).toMatchObject(shown(record));
    });
    await fc.assert(law, aFew);
  });

  test('a run states nothing of its verdict while it is pending, and all of it from its end on', async () => {
    const store = evaluationStore(memory, Date.now);
    const law = fc.asyncProperty(anyRecord, async (record) => {
      const { id } = runOf(await runs().admit(admission(made)));
      const evaluation = await store.find(made.orgId, id);
      if (evaluation === undefined) throw new Error('the run is not there');
      const { kept: _, compared: __, ...nothing } = NO_RECORD;
      expect(evaluation.run).toMatchObject({ ...nothing, verdict: null });
      await store.conclude(evaluation, {
        ...NOTHING_LEFT,
        ...record,
        status: 'cleared',
        pass_rate: 1,
        inconclusive: false,
        refundsUsage: false,
        duration_ms: 0,
        completed_at: new Date().toISOString(),
      });
      expect(await runs().find(made.orgId, id)).toMatchObject(shown(record));
    });
    await fc.assert(law, aFew);
  });
});
