import type { SuiteCase, SuiteScorer } from '../../shared/scoring/kit/types.ts';

/** A model's JSON answer of about 2 kB. */
export const OUTPUT = JSON.stringify({
  order: 'A-10042',
  status: 'refund approved',
  items: Array.from({ length: 20 }, (_, at) => ({
    sku: `SKU-${1000 + at}`,
    price: 19.99 + at,
    note: 'lorem ipsum dolor sit amet, consectetur elit sed',
  })),
});

const schemaOf = (at: number) => ({
  type: 'object',
  required: ['order', 'status', 'items'],
  properties: {
    order: { type: 'string', pattern: '^[A-Z]-\\d+$' },
    status: { type: 'string', maxLength: 100 + at },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku', 'price'],
        properties: { sku: { type: 'string' }, price: { type: 'number', minimum: 0 } },
      },
    },
  },
});

type Kind = 'exact_match' | 'contains' | 'regex' | 'json_schema';
const KINDS: readonly Kind[] = ['exact_match', 'contains', 'regex', 'json_schema'];

function configOf(kind: Kind, at: number): object {
  if (kind === 'exact_match') return { case_sensitive: true };
  if (kind === 'contains')
    return { values: ['refund approved', 'SKU-1019', `SKU-10${at % 20}`], mode: 'any' };
  if (kind === 'regex') return { pattern: `"status":"refund (approved|denied)"|never-${at}` };
  return { schema: schemaOf(at) };
}

/** Equal parts of the four types; each case with its own scorer, or all with the same four. */
export function casesOf(count: number, distinct: boolean): SuiteCase[] {
  const shared = new Map<Kind, SuiteScorer>(KINDS.map((kind) => [kind, scorerOf(kind, 0)]));
  return Array.from({ length: count }, (_, at) => {
    const kind = KINDS[at % KINDS.length] ?? 'regex';
    return {
      id: `case-${at}`,
      name: `case ${at}`,
      // A copy: the comparison of a string with itself costs nothing.
      expected: at % 8 === 0 ? `${OUTPUT.slice(0, -1)}}` : `${OUTPUT.slice(0, -2)}!}`,
      threshold: 0.5,
      weight: 1,
      scorer: distinct ? scorerOf(kind, at) : (shared.get(kind) ?? null),
    };
  });
}

export function scorerOf(kind: Kind, at: number): SuiteScorer {
  const thresholds = { precision_threshold: null, recall_threshold: null };
  return { id: `${kind}-${at}`, type: kind, config: configOf(kind, at), dual_sided: false, ...thresholds };
}
