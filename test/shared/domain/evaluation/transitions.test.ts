import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { RUN_STATUSES } from '../../../../shared/contracts/gates.ts';
import { NOTHING_LEFT } from '../../../../shared/domain/evaluation/conclude.ts';
import type { Claim, Evaluation } from '../../../../shared/domain/evaluation/evaluation.ts';
import {
  CHUNK_STATES,
  CHUNK_TRANSITIONS,
  type ChunkState,
  RUN_STATES,
  RUN_TRANSITIONS,
  type RunState,
  type Transition,
} from '../../../../shared/domain/evaluation/transitions.ts';
import { evaluationStore } from '../../../../shared/storage/evaluation/evaluations.ts';
import { freeLeftClaims } from '../../../../shared/storage/evaluation/releaseClaims.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { chunkKeyOf, runKeyOf } from '../../../../shared/storage/table/evaluationKeys.ts';
import type { Item } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../faults/memory/memoryTable.ts';
import { Random } from '../../../faults/random.ts';
import { REPOSITORY_DIR } from '../../../support/service.ts';
import { admission, chunkPlan, makeStoredSuite, runOf } from '../../storage/stored.ts';

const TRIES_MAX = 5;
const LEASE_MS = 90_000;
const CHUNKS = 250;
const STEPS = 40;

/** Each change of state, as `<from> <write> <to>`. */
const changesOf = <State extends string>(transitions: readonly Transition<State>[]): string[] => {
  const changes = transitions.flatMap(({ from, to, write = 'time' }) =>
    from.flatMap((source) =>
      to.filter((target) => (target as string) !== source).map((target) => `${source} ${write} ${target}`),
    ),
  );
  return [...new Set(changes)].sort();
};

const FIGURES = { ...NOTHING_LEFT, duration_ms: 0, completed_at: '2026-05-05T10:00:00.000Z' };
const VERDICTS = {
  cleared: { ...FIGURES, status: 'cleared', inconclusive: false, givesBackUsage: false },
  aborted: { ...FIGURES, inconclusive: false, givesBackUsage: false },
  unevaluated: FIGURES,
} as const;

/** A pending run in a table of its own, with the store's writes and a clock. */
async function pendingRun() {
  const clock = { ms: Date.parse('2026-05-05T10:00:00.000Z') };
  const now = () => clock.ms;
  const table = new MemoryTable(now);
  const store = evaluationStore(table, now);
  const made = await makeStoredSuite(table);
  const run = runOf(await runStore(table, randomUUID).admit(admission(made)));
  const find = async (): Promise<Evaluation> => {
    const evaluation = await store.find(made.orgId, run.id);
    if (evaluation === undefined) throw new Error('the run is not there');
    return evaluation;
  };
  return { clock, now, table, store, find };
}

function runStateOf(item: Item): RunState {
  if (item.status !== 'pending') return item.given_back === true ? 'unevaluated' : (item.status as RunState);
  if (item.plan === undefined) return 'accepted';
  return (item.plan as { isAbandoned: boolean }).isAbandoned ? 'abandoned' : 'planned';
}

function chunkStateOf(item: Item | undefined, nowMs: number): ChunkState {
  if (item?.ended !== undefined) return item.failed === true ? 'failed' : 'ended';
  if (Number(item?.claimed_until ?? 0) > nowMs) return 'held';
  const tries = (item?.tried_by as Set<string> | undefined)?.size ?? 0;
  if (tries >= TRIES_MAX) return 'exhausted';
  return item?.claimed_until === undefined ? 'free' : 'lapsed';
}

describe('a run', () => {
  test('its states have the statuses that callers see, each status by at least one of them', () => {
    const statuses = Object.values(RUN_STATES).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([...RUN_STATUSES].sort());
  });

  test('in every state that exists, its writes change what the table of transitions says, and nothing else', async () => {
    const random = new Random(1);
    const seen = new Set<string>();
    for (let played = 0; played < 80; played++) {
      const { table, store, find } = await pendingRun();
      const known = [await find()];
      const writes = {
        savePlan: (evaluation: Evaluation) =>
          store.savePlan(evaluation, randomUUID(), chunkPlan({ isAbandoned: random.chance(0.5) })),
        conclude: (evaluation: Evaluation) => {
          // What the domain concludes with: only a plan that was made to be evaluated leads to a verdict.
          const hasVerdict = evaluation.plan?.isAbandoned === false;
          const verdict = hasVerdict ? random.pick(Object.values(VERDICTS)) : VERDICTS.unevaluated;
          return store.conclude(evaluation, verdict);
        },
        nudge: (evaluation: Evaluation) => store.nudge(evaluation, 1),
        markEnded: (evaluation: Evaluation) => store.markEnded(evaluation, [0]),
      };
      for (let step = 0; step < 6; step++) {
        const stateNow = async () => runStateOf((await table.get(runKeyOf(known[0] as Evaluation))) ?? {});
        const before = await stateNow();
        const write = random.pick(Object.keys(writes) as (keyof typeof writes)[]);
        // As it was read at some moment: what is read may be old.
        await writes[write](random.pick(known));
        const after = await stateNow();
        if (after !== before) seen.add(`${before} ${write} ${after}`);
        known.push(await find());
      }
    }
    expect([...seen].sort()).toEqual(
      changesOf(RUN_TRANSITIONS).filter((change) => !change.startsWith('none')),
    );
  });
});

describe('a chunk', () => {
  test('every answer to a claim is that of some state, but for a message that is older than the last wait', () => {
    const answers: Record<Claim, true> = {
      claimed: true,
      held: true,
      done: true,
      tries_exhausted: true,
      stale: true,
    };
    const named = new Set<string>(Object.values(CHUNK_STATES).map(({ claim }) => claim));
    expect(Object.keys(answers).filter((answer) => !named.has(answer))).toEqual(['stale']);
  });

  test('in every state that exists, its writes change what the table of transitions says, and nothing else', async () => {
    const random = new Random(2);
    const seen = new Set<string>();
    for (let played = 0; played < CHUNKS; played++) await playChunk(random, (change) => seen.add(change));
    expect([...seen].sort()).toEqual(changesOf(CHUNK_TRANSITIONS));
  });
});

/** Random writes by several holders to one chunk, some of them after its end: nothing brings it back. */
async function playChunk(random: Random, onChange: (change: string) => void): Promise<void> {
  const { clock, now, table, store, find } = await pendingRun();
  const evaluation = await find();
  const holders: string[] = [];
  const holder = () => random.pick(holders.length === 0 ? ['nobody'] : [...holders, ...holders.slice(-2)]);
  const pass = (ms: number) => {
    clock.ms += ms;
  };
  const itemNow = () => table.get(chunkKeyOf(evaluation, 0));
  const stateNow = async () => chunkStateOf(await itemNow(), now());
  const claim = async (limits?: { triesMax: number }) => {
    const state = await stateNow();
    const name = randomUUID();
    const answer = await store.claim(evaluation, 0, name, limits);
    if (answer === 'claimed') holders.push(name);
    const tries = ((await itemNow())?.tried_by as Set<string> | undefined)?.size ?? 0;
    // While the last of five holders works, too, the answer is that the tries are used up.
    const isLast = state === 'held' && tries >= TRIES_MAX;
    if (limits === undefined || isLast) return;
    expect({ state, answer }).toEqual({ state, answer: CHUNK_STATES[state].claim });
  };
  const waitForSeat = async () => {
    const waits = Number((await itemNow())?.waits ?? 0) + random.int(0, 1);
    const wait = { waits, waiter: randomUUID(), triesMax: TRIES_MAX, forSeconds: 240 };
    await store.waitForSeat(evaluation, 0, wait);
  };
  const release = (countsAsTry: boolean) => store.release(evaluation, 0, holder(), { countsAsTry });
  const finish = (failed: boolean) => store.finishChunk(evaluation, 0, holder(), { results: [], failed });
  const writes: readonly (readonly [weight: number, name: string, write: () => Promise<unknown>])[] = [
    [16, 'claim', () => claim({ triesMax: TRIES_MAX })],
    [2, 'claim', () => claim()],
    [12, 'time', async () => pass(LEASE_MS + 1)],
    [2, 'keepClaim', () => store.keepClaim(evaluation, 0, holder())],
    [2, 'beginCalls', () => store.beginCalls(evaluation, 0, holder(), [0, 1])],
    [2, 'waitForSeat', () => waitForSeat()],
    [2, 'release', () => release(true)],
    [2, 'release', () => release(false)],
    [2, 'uncountTry', () => store.uncountTry(evaluation, 0, holder())],
    [2, 'freeLeftClaims', () => freeLeftClaims(table, now, { countsAsTry: random.chance(0.5) })],
    [1, 'finishChunk', () => finish(false)],
    [1, 'finishChunk', () => finish(true)],
  ];
  const weighted = writes.flatMap((write) => Array.from({ length: write[0] }, () => write));
  for (let step = 0; step < STEPS; step++) {
    const before = await stateNow();
    const [, name, write] = random.pick(weighted);
    await write();
    const after = await stateNow();
    if (after !== before) onChange(`${before} ${name} ${after}`);
  }
}

/** `<file in shared> <function>` of every function that calls one of the writes, from the sources. */
function callers(): string[] {
  const named = new Set([...RUN_TRANSITIONS, ...CHUNK_TRANSITIONS].map(({ write }) => write));
  const shared = path.join(REPOSITORY_DIR, 'shared');
  return globSync('domain/**/*.ts', { cwd: shared }).flatMap((file) => {
    const source = readFileSync(path.join(shared, file), 'utf8');
    const functions = source.split(/^(?=(?:export )?(?:async )?function |(?:export )?const )/m);
    return functions.flatMap((text) => {
      const [, name = ''] = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text) ?? [];
      const calls = [...text.matchAll(/\b(?:evaluations|runs)\.(\w+)\(/g)].map(([, write = '']) => write);
      return [...new Set(calls)]
        .filter((write) => named.has(write))
        .map((write) => `${write}: ${file} ${name}`);
    });
  });
}

test('every write is called by the functions that the tables name, and by no others', () => {
  const told = [...RUN_TRANSITIONS, ...CHUNK_TRANSITIONS].flatMap(({ write, by = [] }) =>
    by.filter((maker) => maker.startsWith('domain/')).map((maker) => `${write}: ${maker}`),
  );
  expect(callers().sort()).toEqual([...new Set(told)].sort());
});
