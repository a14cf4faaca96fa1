import type { KeyTest, KeyTestStore } from '../../domain/evaluation/judging/ports.ts';
import { fromText, toText } from '../table/documents.ts';
import { keyTestKey, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const KEPT_SECONDS = 600;

export function keyTestStore(table: Table, now: () => number): KeyTestStore {
  return {
    async save(orgId, testId, answer) {
      const expiry = { [TTL]: Math.ceil(now() / 1_000) + KEPT_SECONDS };
      await table.put({ ...keyTestKey(orgId, testId), ...expiry, answer: toText(answer) });
    },

    async find(orgId, testId) {
      const item = await table.get(keyTestKey(orgId, testId));
      return item && (fromText(item.answer) as KeyTest);
    },
  };
}
