import type { Table } from '../shared/storage/table/table.ts';
import { fillSuite } from '../test/functions/runs/filled.ts';
import type { Gate } from '../test/functions/runs/gate.ts';
import type { Api } from '../test/support/api.ts';
import { makeScorer } from '../test/support/builders.ts';

/** An answer of a support bot, about 400 characters. */
export const OUTPUT = [
  'Thanks for getting in touch. You can return any item within 30 days of delivery, as long as it is unused',
  'and in its original packaging. Start the return in your account under Orders, print the label and drop the',
  'parcel at any post office. We refund the full price to your card within five working days after it arrives.',
  'If the item was damaged on its way, please send us a photo and we will replace it at no cost to you.',
].join(' ');

const SCORERS = [
  {
    name: 'mentions thirty days',
    type: 'contains',
    config: { values: ['30 days', 'refund', 'label'], mode: 'all' },
  },
  { name: 'no shouting', type: 'regex', config: { pattern: '[A-Z]{6,}', flags: '', should_match: false } },
  { name: 'is a JSON string', type: 'json_schema', config: { schema: { type: 'object' } } },
  { name: 'is the agreed text', type: 'exact_match', config: {} },
];

/** Creates a suite of deterministic cases in equal parts, in a new project. */
export async function makeSuite(
  client: Api,
  cases: number,
  name: string,
): Promise<{ id: string; slug: string }> {
  const project = (await client('POST', '/v1/projects', { name })).body.data;
  const suite = (
    await client('POST', `/v1/projects/${project.slug}/suites`, {
      name,
      pass_threshold: 0.5,
    })
  ).body.data;
  const scorers: string[] = [];
  for (const scorer of SCORERS) {
    scorers.push((await client('POST', `/v1/projects/${project.slug}/scorers`, scorer)).body.data.id);
  }
  for (let start = 0; start < cases; start += 8) {
    const batch = Array.from({ length: Math.min(8, cases - start) }, (_, index) => start + index);
    await Promise.all(
      batch.map((number) => client('POST', `/v1/suites/${suite.id}/cases`, makeCase(number, scorers))),
    );
  }
  return suite;
}

function makeCase(number: number, scorers: readonly string[]) {
  const kind = number % scorers.length;
  return {
    name: `return policy ${number}: ${SCORERS[kind]?.name}`,
    input: { question: `How do I send item ${number} back?` },
    expected: SCORERS[kind]?.type === 'exact_match' ? OUTPUT : null,
    scorer_id: scorers[kind],
  };
}

/** Writes the same cases into the table, for suites that would take minutes over HTTP. Returns a passing output. */
export async function fillGate(gate: Gate, table: Table, cases: number): Promise<string> {
  const scorers: string[] = [];
  for (const scorer of SCORERS) scorers.push((await makeScorer(gate.client, gate.project, scorer)).id);
  await fillSuite(table, gate, cases, (index) => {
    const { name, expected, scorer_id = '' } = makeCase(index, scorers);
    return { name, expected, scorer_id };
  });
  return OUTPUT;
}
