import { isJudged, readsExpected, readsMetadata, readsTrace } from '../engine/judged.ts';
import type { SentOutput, SuiteCase } from '../kit/types.ts';

export interface ProbeOutput {
  /** In messages. */
  readonly name: string;
  readonly isEmpty: boolean;
  readonly text: string;
}

const REFUSAL = "I'm sorry, but I can't help with that.";
const LOREM = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.';

const FIXED: readonly ProbeOutput[] = [
  { name: 'an empty answer', isEmpty: true, text: '' },
  ...['{}', '[]', 'null'].map((text) => ({ name: `\`${text}\``, isEmpty: true, text })),
  { name: 'an answer of blanks', isEmpty: true, text: ' \n' },
  { name: '`Thought process:`', isEmpty: false, text: 'Thought process:' },
  { name: `the refusal “${REFUSAL}”`, isEmpty: false, text: REFUSAL },
  { name: 'a sentence of Lorem ipsum', isEmpty: false, text: LOREM },
];

/** A crash is fast and cheap. */
const METADATA = { latency_ms: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/** What is put to each case of a suite: no output knows what a case wants. */
export function outputsFor(cases: readonly SuiteCase[]): readonly ProbeOutput[] {
  const text = mostFrequentExpected(cases);
  if (text === undefined) return FIXED;
  // It is never quoted: what a case expects is a secret of the bar.
  return [...FIXED, { name: 'the most frequent expected answer', isEmpty: false, text }];
}

/** With an empty trace and with metadata where a scorer reads them. */
export function sentWith(cases: readonly SuiteCase[], outputs: readonly ProbeOutput[]): SentOutput[] {
  const types = cases.map(({ scorer }) => scorer?.type ?? '');
  const [hasTrace, hasMetadata] = [types.some(readsTrace), types.some(readsMetadata)];
  return outputs.map(({ text }) => ({
    output: text,
    ...(hasTrace && { trace: [] }),
    ...(hasMetadata && { metadata: METADATA }),
  }));
}

/** By weight. Undefined where the cases do not expect two different answers. */
function mostFrequentExpected(cases: readonly SuiteCase[]): string | undefined {
  const weights = new Map<string, number>();
  for (const { scorer, expected, weight } of cases) {
    if (isJudged(scorer) || !readsExpected(scorer) || expected === null || expected === undefined) continue;
    const text = textOf(expected);
    weights.set(text, (weights.get(text) ?? 0) + weight);
  }
  const [first, ...otherWeights] = weights;
  if (first === undefined || otherWeights.length === 0) return undefined;
  return otherWeights.reduce((most, one) => (one[1] > most[1] ? one : most), first)[0];
}

/** As an output that is equal to what a case expects. */
export const textOf = (expected: unknown): string =>
  typeof expected === 'string' ? expected : (JSON.stringify(expected) ?? '');
