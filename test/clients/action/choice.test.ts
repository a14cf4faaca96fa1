import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chooseComment } from '../../../clients/action/reporting/choice.ts';
import type { OwnComment } from '../../../clients/action/reporting/comment.ts';

/** A job that ends: it lists the comments, writes one, and deletes others, while other jobs do the same. */
interface Ending {
  readonly run: number;
  readonly leg: number;
  readonly label: string;
  readonly isSole: boolean;
}

interface Stored extends OwnComment {
  readonly by: Ending;
}

const LEGS = 3;
const label = fc.constantFrom('returns', 'refunds');
/** Of one job with a matrix, each leg once: a leg that failed before its login does not know that it is the only one. */
const matrixOf = (isSole: fc.Arbitrary<boolean>) => (run: number) =>
  fc
    .array(fc.record({ label, isSole }), { minLength: 1, maxLength: LEGS })
    .map((legs) => legs.map((leg, index): Ending => ({ ...leg, run, leg: index })));
/** Of a workflow that is called several times: no job knows of the others. */
const calledRun = (run: number) =>
  fc
    .array(fc.record({ label, leg: fc.nat(1) }), { minLength: 1, maxLength: LEGS })
    .map((jobs) => jobs.map((job): Ending => ({ ...job, run, isSole: false })));

const historyOf = (...kinds: readonly ((run: number) => fc.Arbitrary<Ending[]>)[]) =>
  fc
    .constantFrom(...kinds)
    .chain((runOf) => fc.tuple(runOf(1), runOf(2), runOf(3)))
    .chain((runs) => fc.record({ runs: fc.constant(runs), turns: fc.infiniteStream(fc.nat(1_000)) }));

/** One run after the other, the jobs of each in any order, one request at a time. */
function play(runs: readonly (readonly Ending[])[], turnOf: () => number): readonly Stored[] {
  const thread: Stored[] = [];
  let nextId = 1;
  function* steps(job: Ending, legs: number) {
    const own = { step: 's', label: job.label, leg: job.leg, run: job.run, attempt: 1 };
    const found = thread.toReversed();
    yield;
    const choosing = { isSole: job.isSole, legs, isPlan: false };
    const { isOutdated, replaces, removes } = chooseComment(own, found, choosing);
    if (isOutdated) return;
    const at = thread.findIndex(({ id }) => id === replaces?.id);
    const written = { id: replaces?.id ?? nextId++, marker: own, markdown: '', by: job };
    if (at === -1) thread.push(written);
    else thread[at] = written;
    for (const { id } of removes) {
      yield;
      const gone = thread.findIndex((comment) => comment.id === id);
      if (gone !== -1) thread.splice(gone, 1);
    }
  }
  for (const run of runs) {
    const going = run.map((job) => steps(job, run.length));
    while (going.length > 0) {
      const index = turnOf() % going.length;
      if (going[index]?.next().done) going.splice(index, 1);
    }
  }
  return thread;
}

test('each verdict of the newest run is shown, however the requests of its jobs follow each other', () => {
  fc.assert(
    fc.property(historyOf(matrixOf(fc.boolean()), calledRun), ({ runs, turns }) => {
      const thread = play(runs, () => turns.next().value ?? 0);
      for (const job of runs[2]) expect(thread.map(({ by }) => by)).toContain(job);
    }),
  );
});

test('of a matrix whose legs all log in, nothing of earlier runs is left', () => {
  fc.assert(
    fc.property(historyOf(matrixOf(fc.constant(true))), ({ runs, turns }) => {
      const thread = play(runs, () => turns.next().value ?? 0);
      expect(thread.map(({ by }) => by).toSorted((one, other) => one.leg - other.leg)).toEqual(runs[2]);
    }),
  );
});
