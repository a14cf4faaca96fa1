import * as z from 'zod';
import { type ByokKey, byokKeySchema } from '../../contracts/credentials/byokKeys.ts';
import type { ByokKeyStore, SealedKey } from '../../domain/byok/ports.ts';
import { canonicalProvider, type Provider } from '../../domain/byok/providers.ts';
import type { LoggedChange } from '../../domain/changes/log.ts';
import { LIMIT } from '../../domain/limits.ts';
import { logWrite } from '../lists/changeLog.ts';
import { createListed } from '../lists/listMembers.ts';
import { readList, removeFromList } from '../lists/lists.ts';
import { readPage } from '../lists/pages.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { chunksOf } from '../table/batches.ts';
import { putNew, softDelete } from '../table/documents.ts';
import { byokDefaultKey, byokDefaults, byokKeyKey, byokKeyList } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

/** One pointer for each provider names the default key, so that there cannot be two. */
const recordSchema = byokKeySchema.omit({ is_default: true });
const pointerSchema = z.object({ key_id: z.string() });
const sealedSchema = byokKeySchema
  .pick({ id: true, org_id: true, provider: true, last_used_at: true })
  .extend({ ciphertext: z.string() });

type Pointers = ReadonlySet<string>;

const pointed = (items: readonly (Item | undefined)[]): Pointers =>
  new Set(items.filter((item) => item !== undefined).map((item) => pointerSchema.parse(item).key_id));

function read(item: Item, pointers: Pointers): ByokKey {
  const record = recordSchema.parse(item);
  return { ...record, is_default: pointers.has(record.id) };
}

const defaultOf = ({ org_id, provider }: ByokKey) => byokDefaultKey(org_id, canonicalProvider(provider));

/** Reads the newest few keys first: one of them is nearly always of the provider. */
const GLANCE = 10;
const LOOKS_MAX = 2;

async function newestOf(
  table: Table,
  orgId: string,
  provider: Provider,
  looks = 1,
): Promise<SealedKey | undefined> {
  const ids = (await readList(table, byokKeyList(orgId))).reverse();
  let isStale = false;
  for (const some of chunksOf(ids, GLANCE)) {
    const items = await table.getMany(some.map((id) => byokKeyKey(orgId, id)));
    const keys = items.filter((item) => item !== undefined).map((item) => sealedSchema.parse(item));
    const newest = keys.find((key) => canonicalProvider(key.provider) === provider);
    if (newest !== undefined) return newest;
    isStale ||= keys.length < items.length;
  }
  // Revoked since the list was read. Another key may have been stored meanwhile.
  return isStale && looks < LOOKS_MAX ? newestOf(table, orgId, provider, looks + 1) : undefined;
}

async function ofProvider(table: Table, orgId: string, provider: Provider): Promise<SealedKey | undefined> {
  const pointer = await table.get(byokDefaultKey(orgId, provider));
  if (pointer === undefined) return newestOf(table, orgId, provider);
  const item = await table.get(byokKeyKey(orgId, pointerSchema.parse(pointer).key_id));
  // Revoked since the pointer was read.
  return item === undefined ? newestOf(table, orgId, provider) : sealedSchema.parse(item);
}

async function revoke(table: Table, key: ByokKey, change: LoggedChange): Promise<boolean> {
  const { id, org_id: orgId } = key;
  const log = logWrite(orgId, change);
  const list = byokKeyList(orgId);
  return retryOnConflict(async () => {
    const [ids, pointer] = await Promise.all([readList(table, list), table.get(defaultOf(key))]);
    const unlisted = removeFromList(list, ids, id);
    if (unlisted === undefined) return false;
    const outcome = await table.transact<string>({
      key: softDelete(byokKeyKey(orgId, id), change.at, { erasing: ['ciphertext'] }),
      list: unlisted,
      log,
      // Only the creation of a key sets the pointer: if it names another key now, it never names this one again.
      ...(pointer?.key_id === id && { default: unpoint(key) }),
    });
    if (outcome.committed) return true;
    return outcome.failed.has('key') ? false : undefined;
  }, table.backoff);
}

/** Fails its condition when another key became the default. */
const unpoint = (key: ByokKey): Write => ({
  Delete: {
    Key: defaultOf(key),
    ConditionExpression: 'key_id = :id',
    ExpressionAttributeValues: { ':id': key.id },
  },
});

export function byokKeyStore(table: Table): ByokKeyStore {
  return {
    create(key, ciphertext, change) {
      const { id, org_id: orgId, is_default, ...fields } = key;
      const pointer: Write = { Put: { Item: { ...defaultOf(key), key_id: id } } };
      return createListed<never>(table, {
        id,
        list: byokKeyList(orgId),
        limit: LIMIT.byokKeys,
        writes: {
          head: putNew(byokKeyKey(orgId, id), { id, org_id: orgId, ...fields, ciphertext }),
          ...(is_default && { default: pointer }),
          log: logWrite(orgId, change),
        },
        explain: (failed) => (failed.get('head')?.id === id ? 'created' : undefined),
      });
    },

    async find(orgId, id) {
      const [item, pointers] = await Promise.all([
        table.get(byokKeyKey(orgId, id)),
        table.query(byokDefaults(orgId)),
      ]);
      return item && read(item, pointed(pointers));
    },

    async page(orgId, query) {
      // The pointers first: if the default changes in between, the former is shown, never none or two.
      const pointers = pointed(await table.query(byokDefaults(orgId)));
      return readPage(table, {
        list: byokKeyList(orgId),
        query,
        keyOf: (id) => byokKeyKey(orgId, id),
        read: (item) => read(item, pointers),
      });
    },

    ofProvider: (orgId, provider) => ofProvider(table, orgId, provider),

    async sealed(orgId, id) {
      const item = await table.get(byokKeyKey(orgId, id));
      return item && sealedSchema.parse(item);
    },

    revoke: (key, log) => revoke(table, key, log),

    async touch(orgId, id, usedAt, notAfter) {
      await table.update({
        Key: byokKeyKey(orgId, id),
        UpdateExpression: 'SET last_used_at = :at',
        // DynamoDB does not compare null with text: a null needs a condition of its own.
        ConditionExpression:
          'attribute_exists(ciphertext) AND (attribute_type(last_used_at, :null) OR last_used_at <= :after)',
        ExpressionAttributeValues: { ':at': usedAt, ':after': notAfter, ':null': 'NULL' },
      });
    },
  };
}
