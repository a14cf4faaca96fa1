import { createHash } from 'node:crypto';
import type { Said } from '../../domain/reliability/said.ts';
import type { CommitStore } from '../../domain/runs/baseline/ports.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { commitKey, suitePartition, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** After the last run of a commit. */
const KEPT_DAYS = 90;
/** Enough to tell the runs of one commit apart. */
const TOKEN_LENGTH = 8;

/** Of one commit: the first runs of more gates would make each update of its item dear. */
const PAIRED_RUNS_MAX = 1_000;

export const commitStore = (table: Table): CommitStore => ({
  async count({ orgId, suiteId, source, sha }, { runToken, claimed, repetition }) {
    const { provider, issuer, id } = source;
    const sha256 = createHash('sha256')
      .update(JSON.stringify([provider, issuer, id, sha]))
      .digest('hex');
    const key = commitKey(suitePartition(orgId, suiteId), sha256);
    const token = runToken.slice(0, TOKEN_LENGTH);
    const update = (first?: { readonly name: string; readonly value: string }) =>
      table.update({
        Key: key,
        UpdateExpression: `SET claimed = if_not_exists(claimed, :claimed), ${TTL} = :ttl${first ? ', #first = if_not_exists(#first, :first)' : ''} ADD runs :run`,
        ...(first && {
          ConditionExpression: 'attribute_not_exists(runs) OR size(runs) < :most',
          ExpressionAttributeNames: { '#first': first.name },
        }),
        ExpressionAttributeValues: {
          ':claimed': claimed,
          ':ttl': seconds(timestamp(table.now() + KEPT_DAYS * DAY_MS)),
          // Of a run that is concluded again because its answer got lost it is the same.
          ':run': new Set([token]),
          ...(first && { ':first': first.value, ':most': PAIRED_RUNS_MAX }),
        },
      });
    const first = repetition && {
      name: `first_${repetition.gate}`,
      value: [claimed, token, repetition.workflowRunId, repetition.outputs].join(' '),
    };
    let { updated, item } = await update(first);
    if (!updated) ({ item } = await update());
    if (updated && first && item) {
      const { keepRepetition } = await import('./repetitions.ts');
      const { name } = first;
      const run = { commit: key, first: { name, value: String(item[name]) }, token, claimed };
      await keepRepetition(table, run, repetition);
    }
    return { runs: (item?.runs as Set<string> | undefined)?.size ?? 1, first: item?.claimed as Said };
  },
});
