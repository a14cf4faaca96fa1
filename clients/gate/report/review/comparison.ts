import type { ReportedResult } from '../types.ts';
import { joined, plain, say } from '../words.ts';
import { CHANGES, type Change, type Comparison } from './changes.ts';

type Compared = Pick<ReportedResult, 'case_id' | 'passed' | 'errored' | 'advisory'>;

/** An errored case has neither passed nor failed, and an advisory one holds nothing up. */
export function changesBetween(
  before: readonly Compared[],
  after: readonly Compared[],
): ReadonlyMap<string, Change> {
  const known = new Map(before.map((result) => [result.case_id, result]));
  return new Map(
    after.flatMap((result): [string, Change][] => {
      const change = changeOf(known.get(result.case_id), result);
      return change === undefined ? [] : [[result.case_id, change]];
    }),
  );
}

function changeOf(before: Compared | undefined, after: Compared): Change | undefined {
  if (before === undefined || after.advisory) return undefined;
  if (before.errored === true || after.errored === true) return undefined;
  if (after.passed) return before.passed ? undefined : 'fixed';
  return before.passed ? 'newly failing' : 'already failing';
}

const SHA_SHOWN = 7;

interface ComparedRun {
  readonly id: string;
  readonly sha?: string | undefined;
  readonly isSameBar: boolean;
}

/** With the run of a branch, or why there is none. It decides nothing. */
export function comparedWithBranch(
  branch: string,
  run: ComparedRun | string,
  changes: Comparison['changes'] = new Map(),
): Comparison {
  const where = say` on ${branch}`;
  if (typeof run === 'string')
    return { where, changes, sentences: [joined([say`not compared with ${branch}: `, plain(run)], '')] };
  const count = (kind: Change): number => [...changes.values()].filter((change) => change === kind).length;
  const counts = CHANGES.map((change) => `${count(change)} ${change}`).join(', ');
  const comparedRun =
    run.sha === undefined ? say`${run.id}` : say`${run.id} of ${run.sha.slice(0, SHA_SHOWN)}`;
  const since = plain(run.isSameBar ? '' : ', by another bar');
  const sentence = joined([say`against ${branch} (`, comparedRun, since, plain(`): ${counts}`)], '');
  return { where, changes, sentences: [sentence] };
}
