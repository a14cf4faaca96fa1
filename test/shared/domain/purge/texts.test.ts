import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TextsPurge } from '../../../../shared/domain/purge/ports.ts';
import { purgeTexts } from '../../../../shared/domain/purge/texts.ts';
import type { Changes } from '../../../../shared/domain/revisions/blocks.ts';
import { type Edit, editChain } from '../../../../shared/domain/revisions/edit.ts';
import { firstToken } from '../../../../shared/domain/revisions/ids.ts';
import type { Chain, Revision } from '../../../../shared/domain/revisions/ports.ts';
import { DAY_MS } from '../../../../shared/domain/time.ts';
import { textsStore } from '../../../../shared/storage/purge/textsStore.ts';
import { revisionStore } from '../../../../shared/storage/revisions/revisions.ts';
import { placeKey, purgeKey, suiteHeadKey } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { dyingAt, unlessDead } from '../../../support/dyingAt.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { ACT } from '../../../support/revisions/edits.ts';
import { sized } from '../../../support/soak.ts';
import { textsOfItems } from '../../../support/textsOfItems.ts';

const ID = '0a1b2c3d-4e5f-4000-8000-000000000000';
const CHAIN: Chain = { kind: 'suite', orgId: 'o', id: ID, slug: 'gate', projectId: 'p' };
const HOUR_MS = DAY_MS / 24;
const START_MS = Date.parse('2036-01-01T00:00:00.000Z');

type Row = { readonly name: string };
type Texts = { readonly input: string };
type Fields = Record<string, never>;

/** A text that no other case and no other version of a case has. */
interface Version {
  readonly number: number;
  readonly text: string;
  readonly fromN: number;
  /** The first revision that does not have it. */
  untilN?: number;
  endedMs?: number;
  deletedMs?: number;
}

/** A suite with a clock, and a model of what is in the table. */
class Played {
  nowMs = START_MS;
  readonly retentionDays: number;
  readonly table = new MemoryTable(() => this.nowMs);
  readonly versions: Version[] = [];
  /** Of edits that never were in force. */
  readonly lost: { readonly text: string; readonly atMs: number }[] = [];
  readonly revisions: Revision<Fields>[] = [];
  #texts = 0;
  #reads = this.store();
  #tokens = 0;

  constructor(retentionDays: number) {
    this.retentionDays = retentionDays;
  }

  async begin(): Promise<void> {
    await this.table.put({ ...suiteHeadKey('o', 'gate', 'p'), suite_id: ID, n: 0, token: '' });
    await this.table.put({ ...placeKey('o', '0a1b2c3d4e5f'), id: ID, slug: 'gate', project_id: 'p' });
  }

  newText(): string {
    return `canary${this.#texts++}.`;
  }

  live(): Version[] {
    return this.versions.filter(({ untilN }) => untilN === undefined);
  }

  store(table: Table = this.table) {
    return revisionStore<Row, Texts, Fields>(table, {});
  }

  /** False when it died. `meanwhile`: what another one does between its reading and its flip. */
  async edit(
    wish: Wish,
    { dies, meanwhile }: { dies?: Fate; meanwhile?: () => Promise<unknown> },
  ): Promise<void> {
    const table = dies === undefined ? this.table : dyingAt(this.table, dies);
    const tried: string[] = [];
    let changes: Changes<Row, Texts> = new Map();
    let tries = 0;
    const edit: Edit<Row, Texts, Fields> = async ({ revision }) => {
      changes = this.#changesOf(wish, revision.lastNumber);
      tried.push(...[...changes.values()].flatMap((one) => one?.texts?.input ?? []));
      if (tries++ === 0) await meanwhile?.();
      return { act: ACT, fields: {}, changes, order: undefined };
    };
    const deps = {
      store: this.store(table),
      by: null,
      newToken: () => `${firstToken(this.nowMs)}${String(this.#tokens++).padStart(8, '0')}`,
      now: () => this.nowMs,
      backoff: async () => {},
    };
    const before = await this.store().position(CHAIN);
    await editChain(deps, CHAIN, edit).catch(unlessDead);
    const at = await this.store().position(CHAIN);
    const isInForce = at !== undefined && at.n > (before?.n ?? 0) && this.revisions.length < at.n;
    const kept = isInForce ? [...changes.values()].flatMap((one) => one?.texts?.input ?? []) : [];
    if (isInForce) await this.#record(changes, at);
    const lost = tried.filter((text) => !kept.includes(text));
    this.lost.push(...lost.map((text) => ({ text, atMs: this.nowMs })));
  }

  async #record(changes: Changes<Row, Texts>, at: { n: number; token: string }): Promise<void> {
    this.revisions.push(await this.store().revision(CHAIN, at));
    for (const [number, one] of changes) {
      if (one !== null && one.texts === undefined) continue;
      for (const version of this.live().filter((live) => live.number === number)) {
        version.untilN = at.n;
        version.endedMs = this.nowMs;
      }
      if (one === null)
        for (const version of this.versions) if (version.number === number) version.deletedMs ??= this.nowMs;
      if (one?.texts !== undefined) this.versions.push({ number, text: one.texts.input, fromN: at.n });
    }
  }

  #changesOf({ adds, changes, deletes, backs, renames }: Wish, last: number): Changes<Row, Texts> {
    const live = this.live().map(({ number }) => number);
    const gone = Array.from({ length: last }, (_, index) => index + 1).filter((one) => !live.includes(one));
    const all = new Map<number, { row: Row; texts?: Texts } | null>();
    const some = (places: readonly number[], of: readonly number[]) =>
      places.flatMap((place) => of[place % Math.max(1, of.length)] ?? []);
    const wanted = () => ({ row: { name: 'case' }, texts: { input: this.newText() } });
    for (const number of some(renames, live)) all.set(number, { row: { name: 'renamed' } });
    for (const number of some(changes, live)) all.set(number, wanted());
    for (const number of some(deletes, live)) all.set(number, null);
    for (const number of some(backs, gone)) all.set(number, wanted());
    for (let index = 1; index <= adds; index++) all.set(last + index, wanted());
    return all;
  }

  async purge(table: Table = this.table): Promise<void> {
    const item = await this.table.get(purgeKey('o', 'texts', ID));
    if (item === undefined || Number(item.next_at) > this.nowMs) return;
    const position = item.position as TextsPurge['position'];
    const purge: TextsPurge = {
      kind: 'texts',
      chain: CHAIN,
      position,
      announcedAtMs: Number(item.announced_at),
      nextAtMs: Number(item.next_at),
    };
    const deps = {
      texts: textsStore(table),
      now: () => this.nowMs,
      hasTime: () => true,
      retentionDays: async () => this.retentionDays,
    };
    await purgeTexts(deps, purge).catch(unlessDead);
  }

  isKept({ endedMs, deletedMs }: Version): boolean {
    const isRetained = endedMs === undefined || this.nowMs < endedMs + (this.retentionDays + 17) * DAY_MS;
    return isRetained && (deletedMs === undefined || this.nowMs < deletedMs + 30 * DAY_MS);
  }

  /** After a purge that ended. */
  async check(): Promise<void> {
    const texts = textsOfItems(this.table.items()).join();
    const wrong = this.versions.filter((one) => texts.includes(one.text) !== this.isKept(one));
    const left = this.lost.filter((one) => this.nowMs >= one.atMs + 2 * DAY_MS && texts.includes(one.text));
    expect({ wrong, left }).toEqual({ wrong: [], left: [] });
    this.#reads = this.store();
    for (const revision of this.revisions) await this.#checkRevision(revision);
  }

  /** What a run that was accepted under it, and still exists, reads. */
  async #checkRevision({ n, token }: Revision<Fields>): Promise<void> {
    const store = this.#reads;
    const { blocks } = await store.revision(CHAIN, { n, token });
    const members = (await store.rows(CHAIN, blocks)).flat();
    const had = this.versions.filter(({ fromN, untilN }) => fromN <= n && (untilN ?? n + 1) > n);
    const next = this.revisions[n];
    const isReadable =
      next === undefined || this.nowMs < Date.parse(next.at) + (this.retentionDays + 17) * DAY_MS;
    const texts = new Map((await store.texts(CHAIN, blocks)).flatMap((some) => [...some]));
    const unread = had.filter(({ number, text, deletedMs }) => {
      const isErased = deletedMs !== undefined && this.nowMs >= deletedMs + 30 * DAY_MS;
      return isReadable && !isErased && texts.get(number)?.input !== text;
    });
    const numbers = had.map(({ number }) => number).toSorted((a, b) => a - b);
    expect([n, members.map(({ number }) => number), unread]).toEqual([n, numbers, []]);
  }
}

interface Wish {
  readonly adds: number;
  readonly changes: readonly number[];
  readonly deletes: readonly number[];
  readonly backs: readonly number[];
  readonly renames: readonly number[];
}
interface Fate {
  readonly write: number;
  readonly isDone: boolean;
}

const places = fc.array(fc.nat(30), { maxLength: 2 });
const wish: fc.Arbitrary<Wish> = fc.record({
  adds: fc.oneof(fc.nat(2), fc.constant(14)),
  changes: places,
  deletes: places,
  backs: fc.array(fc.nat(30), { maxLength: 1 }),
  renames: places,
});
const fate: fc.Arbitrary<Fate> = fc.record({ write: fc.integer({ min: 1, max: 8 }), isDone: fc.boolean() });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), wish }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const), wish, fate }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('meet' as const), wish, other: wish }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      days: fc.constantFrom(0.1, 1, 2, 13, 30, 47, 90),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), fate }) },
);

test('a text is in the table exactly as long as promised, whatever edits die or meet and wherever purges are killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(14, 30, 90, 365),
      fc.array(step, { minLength: 3, maxLength: 14 }),
      async (retentionDays, steps) => {
        const played = new Played(retentionDays);
        await played.begin();
        for (const taken of steps) {
          if (taken.kind === 'edit') await played.edit(taken.wish, {});
          if (taken.kind === 'die') await played.edit(taken.wish, { dies: taken.fate });
          if (taken.kind === 'meet')
            await played.edit(taken.wish, { meanwhile: () => played.edit(taken.other, {}) });
          if (taken.kind === 'wait') {
            played.nowMs += taken.days * DAY_MS;
            await played.purge();
            await played.check();
          }
          if (taken.kind === 'kill') {
            played.nowMs += DAY_MS;
            await played.purge(dyingAt(played.table, taken.fate));
            await played.purge();
            await played.check();
          }
        }
        for (const days of [2, 30, 31, 400, 2]) {
          played.nowMs += days * DAY_MS;
          await played.purge();
          await played.check();
        }
        expect(await played.table.get(purgeKey('o', 'texts', ID))).toBeUndefined();
      },
    ),
    { numRuns: sized(30, 1_000) },
  );
});

test('a walk reads the revisions since the last one and those that are due, however many there are', async () => {
  const played = new Played(365);
  await played.begin();
  const nothing = { adds: 0, changes: [], deletes: [], backs: [], renames: [] };
  await played.edit({ ...nothing, adds: 2 }, {});
  for (let day = 0; day < 60; day++) {
    for (let edit = 0; edit < 4; edit++) await played.edit({ ...nothing, renames: [0], changes: [1] }, {});
    played.nowMs += DAY_MS;
    await played.purge();
  }
  let read = 0;
  const alive = dyingAt(played.table, { write: Number.POSITIVE_INFINITY, isDone: true });
  const counting = Object.assign(alive, {
    async query(...parameters: Parameters<Table['query']>) {
      const items = await played.table.query(...parameters);
      read += items.length;
      return items;
    },
  });
  played.nowMs += DAY_MS;
  await played.purge(counting);
  expect([played.revisions.length, read < 60]).toEqual([241, true]);
});

test('a function that knows an erased text answers it for an hour at most', async () => {
  const played = new Played(365);
  await played.begin();
  const nothing = { adds: 0, changes: [], deletes: [], backs: [], renames: [] };
  await played.edit({ ...nothing, adds: 2 }, {});
  await played.edit({ ...nothing, deletes: [0] }, {});
  const [first] = played.revisions;
  const warm = played.store();
  const known = async () => {
    const texts = await warm.texts(CHAIN, first?.blocks ?? []);
    return texts.flatMap((some) => [...some.values()].map(({ input }) => input));
  };
  played.nowMs += 30 * DAY_MS - 1;
  expect(await known()).toEqual(['canary0.', 'canary1.']);
  played.nowMs += 1;
  await played.purge();
  played.nowMs += HOUR_MS;
  expect(await known()).toEqual(['canary1.']);
});
