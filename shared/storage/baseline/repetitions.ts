import type { Repetition } from '../../domain/reliability/repetition.ts';
import type { Said } from '../../domain/reliability/said.ts';
import { digestKey, type Key } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { againIn } from './repeated.ts';

/** Commits of one bar. */
const PAIRS_MAX = 1_000;
/** In place of a pair, or of a first run: one run of a workflow gated the commit twice, so that its runs are alike. */
const AMBIGUOUS = '-';

const LETTER = { cleared: 'c', aborted: 'a', inconclusive: 'i' } as const;

interface SecondRun {
  readonly commit: Key;
  /** Where the commit's item holds its first run by this bar and job, and what it holds. */
  readonly first: { readonly name: string; readonly value: string };
  readonly token: string;
  readonly claimed: Said;
}

/** The first run of the commit may be this one. */
export async function keepRepetition(
  table: Table,
  { commit, first, token, claimed }: SecondRun,
  { suiteDigest, gate, workflowRunId, outputs, isScheduled }: Repetition,
): Promise<void> {
  const [firstClaimed = '', firstToken, firstWorkflowRunId, firstOutputs] = first.value.split(' ');
  if (first.value === AMBIGUOUS || firstToken === token) return;
  const key = digestKey(commit.pk, suiteDigest.replace('sha256:', ''));
  const name = commit.sk.replace('COMMIT#', '').slice(0, 16);
  const change = async (expression: string, condition: string, values: Item) => {
    const { updated, item } = await table.update({
      Key: key,
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeNames: { '#commit': name },
      ExpressionAttributeValues: values,
    });
    return updated && item ? againIn(item)[name] : undefined;
  };
  /** The first run goes first: whatever fails afterwards, no later run is paired with it. */
  const takeOut = async () => {
    await table.update({
      Key: commit,
      UpdateExpression: 'SET #first = :ambiguous',
      ExpressionAttributeNames: { '#first': first.name },
      ExpressionAttributeValues: { ':ambiguous': AMBIGUOUS },
    });
    const isOfGate = 'begins_with(again.#commit, :gate)';
    await change('SET again.#commit = :ambiguous', isOfGate, { ':ambiguous': AMBIGUOUS, ':gate': gate });
  };
  if (firstWorkflowRunId === workflowRunId) return takeOut();
  if (!isScheduled) return;
  const letters = `${LETTER[firstClaimed as Said]}${LETTER[claimed]}${firstOutputs === outputs ? '=' : '~'}`;
  const kept = await change(
    'SET again.#commit = if_not_exists(again.#commit, :pair)',
    // Nothing where the bar is not listed yet, or is full.
    'attribute_exists(pk) AND (attribute_exists(again.#commit) OR size(again) < :max)',
    { ':pair': [gate, letters, workflowRunId, token].join(' '), ':max': PAIRS_MAX },
  ).catch(() => undefined);
  const [keptGate, , keptWorkflowRunId, keptToken] = kept?.split(' ') ?? [];
  if (keptGate === gate && keptWorkflowRunId === workflowRunId && keptToken !== token) await takeOut();
}
