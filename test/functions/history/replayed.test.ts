import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeCase } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { sized } from '../../support/soak.ts';
import { type Gate, makeGate } from '../runs/gate.ts';
import '../../support/seed.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Resource = any;
type Fields = Record<string, unknown>;

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());

const value = fc.constantFrom('a', 'b', { c: [1, null] }, null, 7);
const anyEdit = fc.oneof(
  fc.record({ kind: fc.constant('suite' as const), pass_threshold: fc.constantFrom(0.1, 0.5, 1) }),
  fc.record({ kind: fc.constant('describe' as const), description: fc.constantFrom('x', 'y', null) }),
  fc.record({ kind: fc.constant('add' as const), expected: value }),
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(9), expected: value }),
  fc.record({ kind: fc.constant('rule' as const), at: fc.nat(9), weight: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('rest' as const), at: fc.nat(9), is_active: fc.boolean() }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('reorder' as const), seed: fc.nat(9) }),
  fc.record({ kind: fc.constant('scorer' as const), says: fc.constantFrom('ok', 'yes', 'no') }),
  fc.record({
    kind: fc.constant('push' as const),
    keys: fc.uniqueArray(fc.constantFrom('p', 'q', 'r', 's')),
  }),
);
type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

class Played {
  readonly gate: Gate;
  readonly scorer: Resource;
  readonly digests: string[] = [];

  constructor(gate: Gate, scorer: Resource) {
    this.gate = gate;
    this.scorer = scorer;
  }

  async send(method: string, path: string, body?: Fields): Promise<Resource> {
    const answer = await this.gate.client(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body?.data;
  }

  all = (path: string) => this.send('GET', `${path}?pageSize=100`);

  get suitePath(): string {
    return `/v1/projects/${this.gate.project.slug}/suites/${this.gate.suite.slug}`;
  }

  cases = (): Promise<Resource[]> => this.all(`/v1/suites/${this.gate.suite.id}/cases`);

  async edit(edit: Edit): Promise<void> {
    const { kind, ...fields } = edit;
    const cases = await this.cases();
    const id = 'at' in edit ? cases[edit.at % Math.max(1, cases.length)]?.id : undefined;
    const { at: _, ...changed } = fields as Fields;
    if (kind === 'suite' || kind === 'describe') await this.send('PATCH', this.suitePath, fields);
    if (kind === 'add') await makeCase(this.gate.client, this.gate.suite, this.scorer, fields);
    if (kind === 'delete' && id !== undefined) await this.send('DELETE', `/v1/cases/${id}`);
    else if (id !== undefined) await this.send('PATCH', `/v1/cases/${id}`, changed);
    if (edit.kind === 'scorer')
      await this.send('PATCH', `/v1/scorers/${this.scorer.id}`, { config: { values: [edit.says] } });
    if (edit.kind === 'reorder' && cases.length > 0) await this.reorder(cases, edit.seed);
    if (edit.kind === 'push') await this.push(edit.keys);
  }

  async reorder(cases: readonly Resource[], seed: number): Promise<void> {
    const place = ({ id }: Resource, index: number): number =>
      (index * (seed + 1) + id.length) % cases.length;
    const order = cases.map((one, index) => [place(one, index), one.id]).toSorted();
    const path = `/v1/suites/${this.gate.suite.id}/cases/reorder`;
    await this.send('POST', path, { case_ids: order.map(([, id]) => id) });
  }

  async push(keys: readonly string[]): Promise<void> {
    await this.send('PUT', `${this.suitePath}/definition`, {
      definition: {
        version: 1,
        suite: this.gate.suite.slug,
        scorers: { says: { type: 'contains', config: { values: ['ok'] } } },
        cases: keys.map((key) => ({ key, name: key, scorer: 'says', input: {} })),
      },
      prune: keys.length % 2 === 0,
      allow_weaker: true,
    });
  }

  async run(): Promise<void> {
    const body = { suite: this.gate.suite.slug, output: 'ok' };
    const answer = await this.gate.client('POST', '/v1/run', body);
    if (answer.status === 200) this.digests.push(answer.body.suite_digest);
  }
}

const applied = (to: Fields, changes: Record<string, { to: unknown }>): Fields => ({
  ...to,
  ...Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, change.to])),
});

/** A suite, its cases in their order, and what is said of scorers, out of the entries alone. */
function replay(entries: readonly Resource[]) {
  let suite: Fields = {};
  let order: string[] = [];
  const cases = new Map<string, Fields>();
  for (const { target, changes, members, action } of entries.toReversed()) {
    const ofCases = members?.first ?? (target.type === 'case' ? [{ action, target, changes }] : []);
    const numbered = ofCases.filter((one: Resource) => one.target.type === 'case');
    for (const one of numbered) {
      if (one.action === 'deleted') cases.delete(one.target.id);
      else cases.set(one.target.id, applied(cases.get(one.target.id) ?? {}, one.changes));
    }
    order = [
      ...order.filter((id) => cases.has(id)),
      ...[...cases.keys()].filter((id) => !order.includes(id)),
    ];
    if (target.type !== 'suite') continue;
    const { order: moved, ...fields } = changes;
    order = moved?.to ?? order;
    suite = applied(suite, fields);
  }
  return { suite, cases: order.map((id): Fields => ({ id, ...cases.get(id) })) };
}

/** Null is what no entry ever said anything of. */
const fieldsOf = (resource: Fields, unseen: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(resource).filter(([name, own]) => own !== null && !unseen.includes(name)),
  );

const OF_PLACE = [
  'suite_id',
  'project_id',
  'sort_order',
  'version',
  'created_at',
  'updated_at',
  'latest_run',
  'last_push',
];

async function expectReplayed(played: Played): Promise<void> {
  const { gate, scorer } = played;
  const { suite, cases } = replay(await played.all(`/v1/suites/${gate.suite.id}/changes`));
  const present = await played.send('GET', played.suitePath);
  expect(fieldsOf(suite, [])).toEqual(fieldsOf(present, [...OF_PLACE, 'id']));
  const are = (await played.cases()).map((one) => fieldsOf(one, OF_PLACE));
  expect(cases.map((one) => fieldsOf(one, []))).toEqual(are);
  const ofScorer = (await played.all(`/v1/scorers/${scorer.id}/changes`)) as Resource[];
  const replayed = ofScorer.toReversed().reduce((fields, { changes }) => applied(fields, changes), {});
  const scorerNow = await played.send('GET', `/v1/scorers/${scorer.id}`);
  expect(fieldsOf(replayed, ['owner'])).toEqual(fieldsOf(scorerNow, [...OF_PLACE, 'id']));
}

const swapped = (changes: Record<string, { from: unknown; to: unknown }>) =>
  Object.fromEntries(Object.entries(changes).map(([name, { from, to }]) => [name, { from: to, to: from }]));

const inverse = ({ suite, cases, scorers }: Resource) => {
  const ofMembers = ({ added, removed, changed }: Resource) => ({
    added: removed,
    removed: added,
    changed: changed.map(({ changes, key, ...one }: Resource) => ({
      ...one,
      key: changes.key?.from ?? key,
      changes: swapped(changes),
    })),
  });
  return { suite: swapped(suite), cases: ofMembers(cases), scorers: ofMembers(scorers) };
};

const sizeOf = ({ suite, cases, scorers }: Resource): number =>
  [suite, ...Object.values(cases), ...Object.values(scorers)].flatMap((one) => Object.keys(one as object))
    .length;

async function expectInverse(played: Played): Promise<void> {
  const path = `/v1/suites/${played.gate.suite.id}/revisions`;
  const [first, last] = [played.digests[0], played.digests.at(-1)];
  const there = await played.send('GET', `${path}/${first}/diff?to=${last}`);
  const back = await played.send('GET', `${path}/${last}/diff?to=${first}`);
  expect(back).toEqual(inverse(there));
  expect(sizeOf(there) === 0).toBe(first === last);
}

test('after any edits the changes, replayed, give the present fields, and a difference is the inverse of the one back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEdit, { minLength: 1, maxLength: 14 }), async (edits) => {
      const gate = await makeGate(service.baseUrl);
      const first = await gate.add({ key: 'says' });
      const scorer = (await gate.client('GET', `/v1/scorers/${first.scorer_id}`)).body.data;
      const played = new Played(gate, scorer);
      await played.run();
      for (const edit of edits) await played.edit(edit);
      await played.run();
      await expectReplayed(played);
      await expectInverse(played);
    }),
    { numRuns: sized(12, 150) },
  );
});
