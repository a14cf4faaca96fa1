import * as z from 'zod';
import { waiverSchema } from '../../contracts/baseline/waiver.ts';
import type { WaiverStore } from '../../domain/baseline/ports.ts';
import type { StoredWaiver, WaiverReader } from '../../domain/runs/baseline/ports.ts';
import { flipOf } from '../revisions/revisions.ts';
import { packJson, unpackJson } from '../table/blobs.ts';
import { lastNumberOf, PK, runKey, suitePartition, waiverKey, waiversOf } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

const casesSchema = z.object({ failed: z.array(z.number()), errored: z.array(z.number()) });

const storedSchema = waiverSchema
  .pick({ id: true, reason: true, waived_by: true, created_at: true, expires_at: true })
  .extend({ cases: z.instanceof(Uint8Array).transform((bytes) => casesSchema.parse(unpackJson(bytes))) });

function waiverIn(item: Item): StoredWaiver {
  const { cases, ...waiver } = storedSchema.parse(item);
  return { ...waiver, ...cases, number: lastNumberOf(item) };
}

const itemOf = ({ failed, errored, number: _, ...waiver }: StoredWaiver): Item => ({
  ...waiver,
  cases: packJson({ failed, errored }),
});

export const waiverStore = (table: Table): WaiverReader & WaiverStore => ({
  async waived({ orgId, id }, digests) {
    const items = await table.query(waiversOf(suitePartition(orgId, id), digests), { newestFirst: true });
    return items.map(waiverIn);
  },

  async find({ orgId, id }, digests, number) {
    const item = await table.get(waiverKey(suitePartition(orgId, id), digests, number));
    return item && waiverIn(item);
  },

  flipWith({ suite, digests, number, waiver }) {
    const key = waiverKey(suitePartition(suite.orgId, suite.id), digests, number);
    return async (chain, before, after) => {
      const head = { Update: flipOf(chain, before, after) };
      const writes =
        waiver === null
          ? { head, waiver: { Delete: { Key: key, ConditionExpression: `attribute_exists(${PK})` } } }
          : {
              head,
              waiver: { Put: { Item: { ...key, ...itemOf(waiver) } } },
              // Readers of the run know by it that there is one.
              run: {
                Update: {
                  Key: runKey(suite.orgId, suite.id, number),
                  UpdateExpression: 'SET waived = :number',
                  ConditionExpression: `attribute_exists(${PK})`,
                  ExpressionAttributeValues: { ':number': number },
                },
              },
            };
      return (await table.transact<string>(writes)).committed;
    };
  },
});
