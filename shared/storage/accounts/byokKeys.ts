import * as z from 'zod';
import { type ByokKey, byokKeySchema } from '../../contracts/credentials/byokKeys.ts';
import type { ByokKeyStore, KeyUser, SealedKey } from '../../domain/byok/ports.ts';
import { canonicalProvider, PROVIDERS, type Provider } from '../../domain/byok/providers.ts';
import type { LoggedChange } from '../../domain/changes/log.ts';
import { LIMIT } from '../../domain/limits.ts';
import type { ProjectHead } from '../../domain/suites/stored.ts';
import { logWrite } from '../lists/changeLog.ts';
import { createListed } from '../lists/listMembers.ts';
import { readList, removeFromList } from '../lists/lists.ts';
import { readPage } from '../lists/pages.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { chunksOf } from '../table/batches.ts';
import { putNew, softDelete } from '../table/documents.ts';
import { byokDefaultKey, byokDefaults, byokKeyKey, byokKeyList, projectHeadKey } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

/** Null for the organisation's own keys, of which the older have no such field. */
const project_id = byokKeySchema.shape.project_id.default(null);
/** One pointer for each provider, of the organisation and of each project, names the default key: there cannot be two. */
const recordSchema = byokKeySchema.omit({ is_default: true }).extend({ project_id });
const pointerSchema = z.object({ key_id: z.string() });
const sealedSchema = byokKeySchema
  .pick({ id: true, org_id: true, provider: true, last_used_at: true })
  .extend({ ciphertext: z.string(), project_id });

type Pointers = ReadonlySet<string>;

const pointed = (items: readonly (Item | undefined)[]): Pointers =>
  new Set(items.filter((item) => item !== undefined).map((item) => pointerSchema.parse(item).key_id));

function read(item: Item, pointers: Pointers): ByokKey {
  const record = recordSchema.parse(item);
  return { ...record, is_default: pointers.has(record.id) };
}

const defaultOf = ({ org_id, project_id, provider }: ByokKey) =>
  byokDefaultKey(org_id, project_id, canonicalProvider(provider));

/** Reads the newest few keys first: one of them is nearly always of the provider. */
const GLANCE = 10;
const LOOKS_MAX = 2;

interface Owner {
  readonly orgId: string;
  /** Null: the organisation itself. */
  readonly projectId: string | null;
}

async function newestOf(
  table: Table,
  owner: Owner,
  provider: Provider,
  looks = 1,
): Promise<SealedKey | undefined> {
  const { orgId, projectId } = owner;
  const ids = (await readList(table, byokKeyList(orgId, projectId))).reverse();
  let isStale = false;
  for (const some of chunksOf(ids, GLANCE)) {
    const items = await table.getMany(some.map((id) => byokKeyKey(orgId, id)));
    const keys = items.filter((item) => item !== undefined).map((item) => sealedSchema.parse(item));
    const newest = keys.find((key) => canonicalProvider(key.provider) === provider);
    if (newest !== undefined) return newest;
    isStale ||= keys.length < items.length;
  }
  // Revoked since the list was read. Another key may have been stored meanwhile.
  return isStale && looks < LOOKS_MAX ? newestOf(table, owner, provider, looks + 1) : undefined;
}

async function ofOwner(table: Table, owner: Owner, provider: Provider): Promise<SealedKey | undefined> {
  const { orgId, projectId } = owner;
  const pointer = await table.get(byokDefaultKey(orgId, projectId, provider));
  if (pointer === undefined) return newestOf(table, owner, provider);
  const item = await table.get(byokKeyKey(orgId, pointerSchema.parse(pointer).key_id));
  // Revoked since the pointer was read.
  return item === undefined ? newestOf(table, owner, provider) : sealedSchema.parse(item);
}

/** Of a project without keys of its own this costs one read. */
async function ofProvider(
  table: Table,
  { orgId, projectId }: KeyUser,
  provider: Provider,
): Promise<SealedKey | undefined> {
  const ids = await readList(table, byokKeyList(orgId, projectId));
  const projectKey = ids.length > 0 ? await ofOwner(table, { orgId, projectId }, provider) : undefined;
  return projectKey ?? ofOwner(table, { orgId, projectId: null }, provider);
}

/** Writes of the transaction that deletes a project: its keys go with it, unless one is stored or revoked meanwhile. */
export async function revokeAllOfProject(
  table: Table,
  { orgId, projectId }: KeyUser,
  deletedAt: string,
): Promise<Record<string, Write>> {
  const list = byokKeyList(orgId, projectId);
  const ids = await readList(table, list);
  const none = 'attribute_not_exists(ids)';
  return {
    byokKeys: {
      Delete: {
        Key: list,
        ConditionExpression: ids.length === 0 ? `${none} OR size(ids) = :count` : 'size(ids) = :count',
        ExpressionAttributeValues: { ':count': ids.length },
      },
    },
    ...Object.fromEntries(
      ids.map((id) => [
        `byokKey ${id}`,
        softDelete(byokKeyKey(orgId, id), deletedAt, { erasing: ['ciphertext'] }),
      ]),
    ),
    ...Object.fromEntries(
      PROVIDERS.map((provider) => [
        `byokDefault ${provider}`,
        { Delete: { Key: byokDefaultKey(orgId, projectId, provider) } },
      ]),
    ),
  };
}

async function revoke(table: Table, key: ByokKey, change: LoggedChange): Promise<boolean> {
  const { id, org_id: orgId } = key;
  const log = logWrite(orgId, change);
  const list = byokKeyList(orgId, key.project_id);
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

const isThere = (orgId: string, { id, slug }: ProjectHead): Write => ({
  ConditionCheck: {
    Key: projectHeadKey(orgId, slug),
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': id },
  },
});

export function byokKeyStore(table: Table): ByokKeyStore {
  return {
    create(key, ciphertext, change, project) {
      const { id, org_id: orgId, is_default, ...fields } = key;
      const pointer: Write = { Put: { Item: { ...defaultOf(key), key_id: id } } };
      return createListed<'parent_gone'>(table, {
        id,
        list: byokKeyList(orgId, key.project_id),
        limit: project ? LIMIT.projectByokKeys : LIMIT.byokKeys,
        writes: {
          head: putNew(byokKeyKey(orgId, id), { id, org_id: orgId, ...fields, ciphertext }),
          ...(is_default && { default: pointer }),
          log: logWrite(orgId, change),
          ...(project && { project: isThere(orgId, project) }),
        },
        explain: (failed) => {
          if (failed.get('head')?.id === id) return 'created';
          return failed.has('project') ? 'parent_gone' : undefined;
        },
      });
    },

    async find(orgId, id) {
      const [item, pointers] = await Promise.all([
        table.get(byokKeyKey(orgId, id)),
        table.query(byokDefaults(orgId)),
      ]);
      return item && read(item, pointed(pointers));
    },

    async page(orgId, projectId, query) {
      // The pointers first: if the default changes in between, the former is shown, never none or two.
      const pointers = pointed(await table.query(byokDefaults(orgId)));
      return readPage(table, {
        list: byokKeyList(orgId, projectId),
        query,
        keyOf: (id) => byokKeyKey(orgId, id),
        read: (item) => read(item, pointers),
      });
    },

    ofProvider: (user, provider) => ofProvider(table, user, provider),

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
