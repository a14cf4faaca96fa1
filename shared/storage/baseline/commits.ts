import { createHash } from 'node:crypto';
import type { Said } from '../../domain/reliability/reliability.ts';
import type { CommitStore } from '../../domain/runs/baseline/ports.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { commitKey, suitePartition, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** After the last run of a commit. */
const KEPT_DAYS = 90;
/** Enough to tell the runs of one commit apart. */
const TOKEN_LENGTH = 8;

export const commitStore = (table: Table): CommitStore => ({
  async count({ orgId, suiteId, source, sha }, { runToken, claimed, repetition }) {
    const { provider, issuer, id } = source;
    const sha256 = createHash('sha256')
      .update(JSON.stringify([provider, issuer, id, sha]))
      .digest('hex');
    const partition = suitePartition(orgId, suiteId);
    const token = runToken.slice(0, TOKEN_LENGTH);
    const first = `first_${repetition?.gate}`;
    const { item } = await table.update({
      Key: commitKey(partition, sha256),
      UpdateExpression: `SET claimed = if_not_exists(claimed, :claimed), ${TTL} = :ttl${repetition ? ', #first = if_not_exists(#first, :first)' : ''} ADD runs :run`,
      ...(repetition && { ExpressionAttributeNames: { '#first': first } }),
      ExpressionAttributeValues: {
        ':claimed': claimed,
        ':ttl': seconds(timestamp(table.now() + KEPT_DAYS * DAY_MS)),
        // Of a run that is concluded again because its answer got lost it is the same.
        ':run': new Set([token]),
        ...(repetition && {
          ':first': [claimed, token, repetition.workflowRunId, repetition.outputs].join(' '),
        }),
      },
    });
    if (repetition !== undefined && item !== undefined) {
      const { keepRepetition } = await import('./repetitions.ts');
      await keepRepetition(
        table,
        { partition, commit: sha256, token, claimed },
        repetition,
        String(item[first]),
      );
    }
    return { runs: (item?.runs as Set<string> | undefined)?.size ?? 1, first: item?.claimed as Said };
  },
});
