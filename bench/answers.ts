import type { Table } from '../shared/storage/table/table.ts';
import { fillSuite } from '../test/functions/runs/filled.ts';
import { type Gate, makeGate } from '../test/functions/runs/gate.ts';
import type { Api } from '../test/support/api.ts';
import { makeScorer } from '../test/support/builders.ts';
import { OUTPUT } from './suite.ts';

const SCORERS = [
  { type: 'contains', config: { values: ['30 days', 'refund', 'label'], mode: 'all' } },
  { type: 'regex', config: { pattern: 'within \\w+ working days', flags: 'i' } },
];
const OUTPUT_CHARACTERS = 2_000;

/** An answer that every case passes, unlike that of any other case or run. */
const answerOf = (run: number, place: number): string =>
  `Ticket ${run}-${place}. ${OUTPUT.repeat(6)}`.slice(0, OUTPUT_CHARACTERS);

/** A suite that clears what `answerOf` makes. */
export async function answeredGate(
  { baseUrl, table, client }: { baseUrl: string; table: Table; client?: Api },
  cases: number,
): Promise<Gate> {
  const gate = await makeGate(baseUrl, {}, client);
  const scorers: string[] = [];
  for (const scorer of SCORERS) scorers.push((await makeScorer(gate.client, gate.project, scorer)).id);
  await fillSuite(table, gate, cases, (index) => ({
    name: `return policy ${index}`,
    scorer_id: scorers[index % scorers.length] ?? '',
    expected: null,
  }));
  return gate;
}

export type Kind = 'one output' | 'own outputs';

/** The body of a run, as far as it says what is judged. */
export function sentBy(kind: Kind, run: number, cases: number): object {
  if (kind === 'one output') return { output: answerOf(run, 0) };
  return {
    outputs: Array.from({ length: cases }, (_, index) => ({
      case: `case-${index}`,
      output: answerOf(run, index),
    })),
  };
}
