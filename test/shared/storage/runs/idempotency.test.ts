import { expect, test } from '@jest/globals';
import { IDEMPOTENCY_CLAIM_MS } from '../../../../shared/domain/limits.ts';
import { runId } from '../../../../shared/domain/runs/ids.ts';
import { DAY_MS } from '../../../../shared/domain/time.ts';
import { completeIdempotency, idempotencyStore } from '../../../../shared/storage/runs/idempotency.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';

test('a request that is slower than its claim stores no run once another one has claimed the key', async () => {
  let nowMs = Date.parse('2026-03-01T00:00:00.000Z');
  const table = new MemoryTable(() => nowMs);
  const store = idempotencyStore(table, () => nowMs);
  const claim = (id: string) => ({ id, keySha256: 'key', bodySha256: 'body' });
  const place = { suiteId: '00000000-0000-4000-8000-000000000001', number: 1 };
  const complete = (id: string) => table.transact(completeIdempotency('org', claim(id), place));
  expect(await store.claim('org', claim('slow'))).toEqual({ kind: 'claimed' });
  expect(await store.claim('org', claim('early'))).toEqual({ kind: 'in_progress' });
  nowMs += IDEMPOTENCY_CLAIM_MS;
  expect(await store.claim('org', claim('next'))).toEqual({ kind: 'claimed' });
  expect(await complete('slow')).toMatchObject({ committed: false });
  expect(await complete('next')).toEqual({ committed: true });
  expect(await complete('next')).toMatchObject({ committed: false });
  expect(await store.claim('org', claim('later'))).toEqual({ kind: 'done', runId: runId(place) });
});

test('a key whose claim has lapsed without a run is for the same body only', async () => {
  let nowMs = Date.parse('2026-03-01T00:00:00.000Z');
  const table = new MemoryTable(() => nowMs);
  const store = idempotencyStore(table, () => nowMs);
  const claim = (id: string, bodySha256: string) => store.claim('org', { id, keySha256: 'key', bodySha256 });
  expect(await claim('first', 'body')).toEqual({ kind: 'claimed' });
  nowMs += IDEMPOTENCY_CLAIM_MS;
  expect(await claim('other', 'other body')).toEqual({ kind: 'other_body' });
  expect(await claim('again', 'body')).toEqual({ kind: 'claimed' });
  nowMs += DAY_MS;
  expect(await claim('next day', 'other body')).toEqual({ kind: 'claimed' });
});
