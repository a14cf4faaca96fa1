import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placed } from '../../../../shared/domain/runs/outputs/blocks.ts';
import type { AdmittedSubmission } from '../../../../shared/domain/runs/outputs/submission.ts';
import type { ReadItem } from '../../../../shared/domain/runs/outputs/traces.ts';
import { monthOf, timestamp } from '../../../../shared/domain/time.ts';
import {
  dropItems,
  dropPayload,
  readOutputBlock,
  readPayload,
  writePayload,
} from '../../../../shared/storage/runs/payloads.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { TTL, usageKey } from '../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import '../../../support/seed.ts';
import { admission, makeStoredSuite, runOf } from '../stored.ts';

const EXPIRY = { [TTL]: 2_000_000_000 };
const BLOCK_BYTES = 1_000_000;

const memory = new MemoryTable(Date.now);

const newPlace = () => ({ orgId: randomUUID(), suiteId: randomUUID(), runToken: randomUUID() });
type Place = ReturnType<typeof newPlace>;

async function written(submission: AdmittedSubmission): Promise<Place> {
  const place = newPlace();
  await writePayload(memory, place, submission, EXPIRY);
  return place;
}

async function blocksAt(place: Place, count: number): Promise<ReadItem[][]> {
  const blocks: ReadItem[][] = [];
  for (let block = 0; block < count; block++) {
    const items = await readOutputBlock(memory, place, block);
    if (items === undefined) throw new Error(`there is no block ${block}`);
    blocks.push([...items]);
  }
  return blocks;
}

async function read(place: Place) {
  const { blocks, ...payload } = (await readPayload(memory, place)) ?? {};
  return { ...payload, ...(blocks !== undefined && { outputs: (await blocksAt(place, blocks)).flat() }) };
}

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
const anyObject = fc
  .dictionary(anyText, fc.jsonValue({ stringUnit: 'binary' }), { maxKeys: 3, noNullPrototype: true })
  .map((value) => JSON.parse(JSON.stringify(value)));
const anyTrace = fc.array(fc.record({ tool: anyText, arguments: anyObject, step: fc.nat(), at: fc.nat() }));
const anyItem: fc.Arbitrary<ReadItem> = fc.oneof(
  fc.record(
    { case: anyText, output: anyText, input: anyObject, metadata: anyObject, trace: anyTrace },
    { requiredKeys: ['case', 'output'] },
  ),
  fc.record({ case: anyText, error: anyText, input: anyObject }, { requiredKeys: ['case', 'error'] }),
);
const anySubmission: fc.Arbitrary<AdmittedSubmission> = fc
  .tuple(
    fc.oneof(
      fc.record({ output: anyText }),
      fc.record({ outputs: fc.array(anyItem, { minLength: 1, maxLength: 20 }).map(placed) }),
    ),
    fc.record({ input: anyObject, suite_digest: anyText }, { requiredKeys: ['input'] }),
  )
  .map(([sent, more]) => ({ ...sent, ...more }));

test('whatever was submitted is read back as it was, outputs in their order', async () => {
  const law = fc.asyncProperty(anySubmission, async (submission) => {
    expect(await read(await written(submission))).toEqual(submission);
  });
  await fc.assert(law, { numRuns: 40 });
});

describe('outputs of 6 MB that do not compress', () => {
  const outputs = placed(
    Array.from({ length: 60 }, (_, index) => ({
      case: `case-${index}`,
      output: randomBytes(75_000).toString('base64'),
    })),
  );
  let place: Place;
  beforeAll(async () => {
    place = await written({ outputs, input: {} });
  });

  test('lie in blocks of at most a megabyte, each read by itself', async () => {
    const count = (await readPayload(memory, place))?.blocks ?? 0;
    const blocks = await blocksAt(place, count);
    expect(blocks.flat()).toEqual(outputs);
    const sizes = blocks.map((items) => Buffer.byteLength(JSON.stringify(items)));
    expect(Math.max(...sizes)).toBeLessThan(1.01 * BLOCK_BYTES);
    expect(count).toBe(Math.ceil(6_000_000 / BLOCK_BYTES) + 1);
    expect(await readOutputBlock(memory, place, count)).toBeUndefined();
  });

  test('expire with the run, every part of them', async () => {
    const items = (await memory.items()).filter(({ pk }) => String(pk).includes(place.suiteId));
    expect(items.length).toBeGreaterThan(12);
    expect(new Set(items.map((item) => item[TTL]))).toEqual(new Set([EXPIRY[TTL]]));
  });

  test('are dropped with all their parts, also by who goes on where another one died', async () => {
    const left = async ({ suiteId }: Place) =>
      (await memory.items()).filter(({ pk }) => String(pk).includes(suiteId)).length;
    const [dropped, other] = [await written({ outputs, input: {} }), await written({ outputs, input: {} })];
    await dropPayload(memory, dropped);
    expect(await left(dropped)).toBe(0);
    const all = await left(other);
    await dropItems(memory, [
      { pk: `ORG#${other.orgId}#SUITE#${other.suiteId}`, sk: `OUTPUTS#${other.runToken}#00000#00000` },
    ]);
    expect(await left(other)).toBe(all - 1);
    for (let each = 0; each < 2; each++) await dropPayload(memory, other);
    expect(await left(other)).toBe(0);
    expect(await readPayload(memory, other)).toBeUndefined();
  });

  test('are those of no other run, suite or organisation', async () => {
    for (const field of ['orgId', 'suiteId', 'runToken'] as const) {
      const other = { ...place, [field]: randomUUID() };
      expect(await readPayload(memory, other)).toBeUndefined();
      expect(await readOutputBlock(memory, other, 0)).toBeUndefined();
    }
  });
});

test('an output larger than a block has a block of its own', async () => {
  const large = { case: 'large', output: randomBytes(900_000).toString('base64') };
  const outputs = placed([{ case: 'a', output: 'x' }, large, { case: 'b', error: 'timed out' }]);
  const place = await written({ outputs, input: {} });
  expect(await blocksAt(place, 3)).toEqual(outputs.map((item) => [item]));
});

test('a run that is refused when it is stored leaves nothing of what was sent', async () => {
  const table = new MemoryTable(Date.now);
  const made = await makeStoredSuite(table);
  const items = Array.from({ length: 4 }, (_, index) => ({ case: `c${index}`, output: 'x'.repeat(600_000) }));
  const sent = [
    { output: 'x', input: {} },
    { outputs: placed(items), input: {} },
  ];
  const plan = { id: 'free', version: 1 } as const;
  const startedAtMs = Date.now();
  await table.put({ ...usageKey(made.orgId, monthOf(timestamp(startedAtMs)), 1), plan: 'free', used: 500 });
  runOf(await runStore(table, randomUUID).admit(admission(made)));
  const before = table.items().length;
  for (const submission of sent) {
    const refused = await runStore(table, randomUUID).admit(
      admission(made, { submission, plan, startedAtMs }),
    );
    expect(refused.outcome).toBe('quota_exceeded');
    expect(table.items()).toHaveLength(before);
  }
  runOf(await runStore(table, randomUUID).admit(admission(made, { submission: sent[1]! })));
  expect(table.items().some(({ sk }) => String(sk).startsWith('OUTPUTS#'))).toBe(true);
});
