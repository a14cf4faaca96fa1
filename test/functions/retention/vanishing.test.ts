import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Random } from '../../faults/random.ts';
import { dropExpired } from '../../support/dropExpired.ts';
import { sized } from '../../support/soak.ts';
import { textsOfItems } from '../../support/textsOfItems.ts';
import type { Gate } from '../runs/gate.ts';
import { startUpgrading, type Upgrading } from './upgrading.ts';

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await startUpgrading();
});
afterAll(() => upgrading.stop());

type Word = () => string;

/** Scorers with what their cases expect. Each but `similarity` says in its reason what it finds. */
const SCORERS: readonly { readonly scorer: object; readonly expected: (word: Word) => unknown }[] = [
  { scorer: { type: 'exact_match', config: {} }, expected: (word) => `${word()} ${word()}` },
  { scorer: { type: 'exact_match', config: {} }, expected: (word) => ({ [word()]: [word()], n: 1 }) },
  { scorer: { type: 'exact_match', config: { normalize: true } }, expected: (word) => word().toUpperCase() },
  {
    scorer: { type: 'exact_match', config: {}, dual_sided: true },
    expected: (word) => `${word()} ${word()}`,
  },
  { scorer: { type: 'exact_match', config: {}, dual_sided: true }, expected: (word) => ({ n: word() }) },
  {
    scorer: { type: 'regex', config: { pattern: '\\w+' }, dual_sided: true },
    expected: (word) => [word(), word()],
  },
  {
    scorer: {
      type: 'json_path',
      config: { assertions: [{ path: '$.n', op: 'equals', value: { $expected: '/n' } }] },
    },
    expected: (word) => ({ n: word() }),
  },
  { scorer: { type: 'similarity', config: { metric: 'rouge_l' } }, expected: (word) => word() },
  { scorer: { type: 'contains', config: { values: ['refund'] } }, expected: (word) => word() },
];

const OUTPUTS: readonly ((word: Word) => string)[] = [
  (word) => `refund ${word()}`,
  (word) => JSON.stringify({ n: word(), other: [word()] }),
  (word) => JSON.stringify({ n: 1 }) + word(),
];

const PLAN_DAYS = { free: 14, pro: 365 } as const;

const wishes = fc.record({
  plan: fc.constantFrom('free' as const, 'pro' as const),
  keep: fc.constantFrom('none', 'failed', 'all'),
  scorers: fc.array(fc.nat(SCORERS.length - 1), { minLength: 1, maxLength: 6 }),
  samples: fc.integer({ min: 1, max: 2 }),
  outputs: fc.array(fc.record({ form: fc.nat(OUTPUTS.length - 1), isQueued: fc.boolean() }), {
    minLength: 1,
    maxLength: 2,
  }),
  deleted: fc.constantFrom('a case', 'by a push', 'the suite'),
  seed: fc.nat(),
});

type Wish = typeof wishes extends fc.Arbitrary<infer T> ? T : never;

/** What of these words is in the table, and the kind of the item. */
async function found(words: readonly string[]): Promise<{ word: string; kind: string }[]> {
  const nowMs = upgrading.service.clock.ms ?? 0;
  await dropExpired(upgrading.service, nowMs);
  const items = await upgrading.service.items();
  return items.flatMap((item) => {
    const text = textsOfItems([item]).join('\n').toLowerCase();
    const there = words.filter((word) => text.includes(word));
    return there.map((word) => ({ word, kind: String(item.sk).replace(/#.*/, '') }));
  });
}

/** Words of the cases, by the field that has them. */
class Words {
  readonly asked: string[] = [];
  readonly expected: string[] = [];
  readonly outputs: string[] = [];
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  of(list: string[]): Word {
    return () => {
      const word = `t${this.#random.uuid().replaceAll('-', '').slice(0, 12)}`;
      list.push(word);
      return word;
    };
  }
}

async function fill(gate: Gate, { scorers, keep, samples }: Wish, words: Words): Promise<string[]> {
  const path = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
  expect((await gate.client('PATCH', path, { keep_outputs: keep })).status).toBe(200);
  const ids: string[] = [];
  for (const [index, wanted] of scorers.entries()) {
    const { scorer, expected } = SCORERS[wanted] ?? SCORERS[0] ?? { scorer: {}, expected: () => null };
    const asked = words.of(words.asked);
    const evalCase = await gate.add(
      { name: `Scorer ${index}`, ...scorer },
      {
        key: `case-${index}`,
        name: `Case ${index}`,
        description: asked(),
        sample_count: samples,
        input: { question: asked() },
        expected: expected(words.of(words.expected)),
      },
    );
    ids.push(evalCase.id);
  }
  return ids;
}

async function remove(gate: Gate, deleted: Wish['deleted'], ids: readonly string[]): Promise<void> {
  const path = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
  if (deleted === 'the suite') {
    expect((await gate.client('DELETE', path)).status).toBe(204);
  } else if (deleted === 'a case') {
    for (const id of ids) expect((await gate.client('DELETE', `/v1/cases/${id}`)).status).toBe(204);
  } else {
    const { definition } = (await gate.client('GET', `${path}/definition`)).body.data;
    const cases = definition.cases.filter(({ key }: { key: string }) => !/^case-/.test(key ?? ''));
    const body = { definition: { ...definition, cases }, prune: true, allow_weaker: true };
    const answer = await gate.client('PUT', `${path}/definition`, body);
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
  }
}

let plays = 0;
let day = 0;

test('30 days after its deletion nothing is left of the texts of a case but what runs made of them: reasons, which may quote `expected`; after the retention nothing is left, nor of any output', async () => {
  await fc.assert(
    fc.asyncProperty(wishes, async (wish) => {
      const words = new Words(wish.seed + ++plays);
      day += 2_000;
      upgrading.day(day);
      const gate = await upgrading.gate();
      await upgrading.changePlan(gate, wish.plan);
      await upgrading.evaluator.work();
      const ids = await fill(gate, wish, words);
      for (const { form, isQueued } of wish.outputs) {
        const output = () => OUTPUTS[form]?.(words.of(words.outputs)) ?? '';
        const outputs = wish.scorers.flatMap((_, index) =>
          Array.from({ length: wish.samples }, () => ({ case: `case-${index}`, output: output() })),
        );
        const sent = wish.samples === 1 ? { output: output() } : { output: undefined, outputs };
        await upgrading.run(gate, isQueued ? 'async' : 'sync', sent);
        await upgrading.evaluator.work();
      }
      const all = [...words.asked, ...words.expected];
      expect(new Set((await found(all)).map(({ word }) => word))).toEqual(new Set(all));
      await remove(gate, wish.deleted, ids);
      upgrading.day(day + 30.1);
      await upgrading.evaluator.purge();
      const left = await found(all);
      const ofRuns = left.filter(
        ({ word, kind }) => words.expected.includes(word) && /^(RUN|RESULTS|CHUNK)/.test(kind),
      );
      expect(left).toEqual(wish.plan === 'free' ? [] : ofRuns);
      for (const days of [PLAN_DAYS[wish.plan] + 14.1, PLAN_DAYS[wish.plan] + 17.1]) {
        upgrading.day(day + Math.max(31, days));
        await upgrading.evaluator.purge();
      }
      expect(await found([...all, ...words.outputs])).toEqual([]);
    }),
    { numRuns: sized(12, 300) },
  );
});
