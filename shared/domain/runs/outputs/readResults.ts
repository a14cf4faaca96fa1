import { namesOf } from '../../../scoring/engine/matching.ts';
import { resultsReadBy, withResultsOf } from '../../../scoring/trajectory/results.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import type { Submission } from './submission.ts';

interface ReadingCase {
  readonly id: string;
  readonly key: string;
  readonly scorer: { readonly id: string; readonly type: string; readonly config: unknown } | null;
}

/** A submission whose traces have only the results that the scorer of their case reads; of one output, those of any case. */
export function withReadResults<T extends Submission>(cases: readonly ReadingCase[], submission: T): T {
  const { trace, outputs } = submission;
  const readers = new Map(cases.map(({ scorer }) => [scorer?.id, scorer ? resultsReadBy(scorer) : []]));
  const named = namesOf(cases);
  return {
    ...submission,
    ...(trace && { trace: withResultsOf(trace, [...readers.values()].flat()) }),
    ...(outputs && {
      outputs: outputs.map((item) =>
        item.trace
          ? { ...item, trace: withResultsOf(item.trace, readers.get(named(item.case)?.scorer?.id) ?? []) }
          : item,
      ),
    }),
  };
}

/** The same by the suite, of which no more is read than decides. */
export async function withResultsReadIn<T extends Submission>(
  suiteRevision: SuiteRevision,
  submission: T,
): Promise<T> {
  const rows = [...(await suiteRevision.scorerRows()).values()].filter(
    ({ row }) => row.type === 'trajectory',
  );
  const scorers = await suiteRevision.scorers(new Set(rows.map(({ row }) => row.id)));
  const areRead = [...scorers.values()].some((scorer) => resultsReadBy(scorer).length > 0);
  const active = areRead ? await suiteRevision.activeCases() : [];
  const cases = active.map(({ member: { row } }) => ({
    id: row.id,
    key: row.key,
    scorer: scorers.get(row.scorer_id) ?? null,
  }));
  return withReadResults(cases, submission);
}
