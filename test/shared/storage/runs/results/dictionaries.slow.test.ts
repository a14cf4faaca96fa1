import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../../../support/seed.ts';
import { DAY_MS } from '../../../../../shared/domain/time.ts';
import { createDictionaries } from '../../../../../shared/storage/runs/results/dictionaries.ts';
import {
  dictionaryFrom,
  packResults,
  unpackResults,
} from '../../../../../shared/storage/runs/results/packing.ts';
import { dictionaryKey, TTL } from '../../../../../shared/storage/table/keys.ts';
import { dropExpired } from '../../../../support/dropExpired.ts';
import { type OwnTable, startOwnTable } from '../../../../support/ownService.ts';
import { withOwn } from '../../contended.ts';
import { resultOf } from '../../results.ts';

const START_MS = Date.parse('2036-05-05T10:00:00.000Z');

let own: OwnTable;
let nowMs = START_MS;
beforeAll(async () => {
  own = await startOwnTable(() => nowMs);
});
afterAll(() => own.stop());

const DAY = DAY_MS / 1_000;
const seconds = () => Math.floor(nowMs / 1_000);
const newPlace = () => ({ orgId: randomUUID(), suiteId: randomUUID(), revision: 'v2.1.0', chunk: 0 });
const repeatedOf = (text: string) => () => dictionaryFrom([resultOf(0, text)]);

const step = fc.record({
  days: fc.integer({ min: 0, max: 60 }),
  drops: fc.boolean(),
  /** Which function packs; a new one has nothing in memory. */
  by: fc.constantFrom('first', 'second', 'new'),
  retained: fc.constantFrom(28, 379),
  repeated: fc.constantFrom('what one says', 'what another says', ''),
});

test('whichever runs made and renewed a dictionary, results stay readable by everybody until they expire', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      nowMs = START_MS;
      const place = newPlace();
      const functions = { first: createDictionaries(own.table), second: createDictionaries(own.table) };
      const stored: { packed: Buffer; text: string; until: number }[] = [];
      for (const [index, { days, drops, by, retained, repeated }] of steps.entries()) {
        nowMs += days * DAY_MS;
        if (drops) await dropExpired(own, nowMs);
        const dictionaries = by === 'new' ? createDictionaries(own.table) : functions[by];
        const until = seconds() + retained * DAY;
        const dictionary = await dictionaries.findOrCreate(place, repeatedOf(repeated), until);
        const text = `output ${index}`;
        stored.push({ packed: packResults([resultOf(index, text)], dictionary), text, until });
        for (const result of stored.filter((one) => one.until > seconds())) {
          const read = unpackResults(result.packed, await createDictionaries(own.table).find(place));
          expect(read[0]?.scorer_output.actual).toBe(result.text);
        }
      }
    }),
    { numRuns: 25 },
  );
});

test('of two first runs at once, the dictionary lasts as long as the results that last longer', async () => {
  nowMs = START_MS;
  const place = newPlace();
  const shorter = createDictionaries(own.table);
  let isFirst = true;
  const meanwhile = withOwn(own.table, {
    async get(key) {
      const item = await own.table.get(key);
      if (isFirst) {
        isFirst = false;
        await shorter.findOrCreate(place, repeatedOf('one'), seconds() + 28 * DAY);
      }
      return item;
    },
  });
  const until = seconds() + 379 * DAY;
  const longer = await createDictionaries(meanwhile).findOrCreate(place, repeatedOf('two'), until);
  expect(longer).toEqual(await shorter.find(place));
  const item = await own.table.get(dictionaryKey(place.orgId, place.suiteId, place.revision, place.chunk));
  expect(Number(item?.[TTL])).toBeGreaterThanOrEqual(until);
});
