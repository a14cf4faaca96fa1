import type { RepeatedVerdict, Said } from '../../domain/reliability/reliability.ts';
import type { Repetition } from '../../domain/reliability/repetition.ts';
import { digestKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

/** Commits of one bar. */
const PAIRS_MAX = 1_000;
/** In place of a pair: one run of a workflow gated the commit twice, so that its runs are alike. */
const AMBIGUOUS = '-';

const LETTER = { cleared: 'c', aborted: 'a', inconclusive: 'i' } as const;
const SAID: Readonly<Record<string, Said>> = { c: 'cleared', a: 'aborted', i: 'inconclusive' };

interface SecondRun {
  readonly partition: string;
  /** The hash that names it. */
  readonly commit: string;
  readonly token: string;
  readonly claimed: Said;
}

/** `first`: what the commit's item holds of its first run by this bar and job, which may be this one. */
export async function keepRepetition(
  table: Table,
  { partition, commit, token, claimed }: SecondRun,
  { suiteDigest, workflowRunId, outputs, isScheduled }: Repetition,
  first: string,
): Promise<void> {
  const [firstClaimed = '', firstToken, firstWorkflowRunId, firstOutputs] = first.split(' ');
  if (firstToken === token) return;
  const key = digestKey(partition, suiteDigest.replace('sha256:', ''));
  const name = commit.slice(0, 16);
  /** Nothing where the bar is not listed yet, or is full. */
  const keep = async (value: string, isFinal: boolean): Promise<string | undefined> => {
    const { updated, item } = await table.update({
      Key: key,
      UpdateExpression: `SET again.#commit = ${isFinal ? ':value' : 'if_not_exists(again.#commit, :value)'}`,
      ConditionExpression: 'attribute_exists(pk) AND (attribute_exists(again.#commit) OR size(again) < :max)',
      ExpressionAttributeNames: { '#commit': name },
      ExpressionAttributeValues: { ':value': value, ':max': PAIRS_MAX },
    });
    return updated && item ? againIn(item)[name] : undefined;
  };
  if (firstWorkflowRunId === workflowRunId) {
    await keep(AMBIGUOUS, true);
  } else if (isScheduled) {
    const letters = `${LETTER[firstClaimed as Said]}${LETTER[claimed]}${firstOutputs === outputs ? '=' : '~'}`;
    const [, keptWorkflowRunId, keptToken] =
      (await keep([letters, workflowRunId, token].join(' '), false))?.split(' ') ?? [];
    if (keptWorkflowRunId === workflowRunId && keptToken !== token) await keep(AMBIGUOUS, true);
  }
}

const againIn = ({ again = {} }: Item) => again as Readonly<Record<string, string>>;

/** What the item of a bar holds. */
export const repeatedIn = (item: Item): RepeatedVerdict[] =>
  Object.values(againIn(item)).flatMap(([first = '', second = '', outputs]) => {
    const [one, other] = [SAID[first], SAID[second]];
    return one && other ? [{ first: one, second: other, sameOutputs: outputs === '=' }] : [];
  });
