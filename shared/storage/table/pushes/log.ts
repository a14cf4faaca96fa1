import { packJson, unpackJson, writeBlob } from '../blobs.ts';
import { seconds } from '../documents.ts';
import { below, type Key, pushLogKey, TTL } from '../keys.ts';
import type { Item, Table } from '../table.ts';

/** Each may be written again: what it says does not change. */
export type LoggedWrite =
  | { readonly put: Item }
  /** A block of a list, with its ids. */
  | { readonly block: Key; readonly ids: readonly string[] }
  | { readonly hide: Key }
  /** Readable until it expires, by functions that have just read its id. */
  | { readonly expire: Key }
  | { readonly drop: Key };

/** What a push that is in force is still to write. */
export interface PushLog {
  readonly at: string;
  /** Whole items, each over the version that the push has read, which had no other fields. */
  readonly changed: readonly { readonly item: Item; readonly version: number }[];
  /** Those of a group are written together. */
  readonly groups: readonly (readonly LoggedWrite[])[];
}

/** A push whose function died is finished by the next write to the suite or its project. */
const LOG_DAYS = 40;
const DAY_SECONDS = 86_400;

export interface LogPlace {
  readonly orgId: string;
  readonly suiteId: string;
  readonly pushId: string;
}

const partKey = ({ orgId, suiteId, pushId }: LogPlace, part: number): Key =>
  pushLogKey(orgId, suiteId, pushId, part);
const partsOf = ({ orgId, suiteId, pushId }: LogPlace) => below(pushLogKey(orgId, suiteId, pushId));

export async function writeLog(table: Table, place: LogPlace, log: PushLog): Promise<void> {
  const bytes = packJson(log);
  const expiry = { [TTL]: seconds(log.at) + LOG_DAYS * DAY_SECONDS };
  await writeBlob(table, bytes, (part) => partKey(place, part), { log_bytes: bytes.length, ...expiry });
}

/** Undefined when the push is finished: its log is dropped then, part by part. */
export async function readLog(table: Table, place: LogPlace): Promise<PushLog | undefined> {
  const items = await table.query(partsOf(place));
  const bytes = Buffer.concat(items.map((item) => item.bytes as Uint8Array));
  const isWhole = items.length > 0 && bytes.length === items[0]?.log_bytes;
  return isWhole ? (unpackJson(bytes) as PushLog) : undefined;
}

export async function dropLog(table: Table, place: LogPlace): Promise<void> {
  const parts = await table.query(partsOf(place), { slim: ({ pk, sk }) => ({ pk, sk }) });
  for (const { pk, sk } of parts) {
    const exists = { ConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
    await table.delete({ pk: String(pk), sk: String(sk) }, exists);
  }
}
