import type { ChunkSummary } from '../../../domain/evaluation/evaluation.ts';
import type { ScoredCase } from '../../../domain/runs/ports.ts';
import { unpackJson } from '../../table/blobs.ts';

type GatedCase = ChunkSummary['cases'][number];

/** Field by field, so that equal values are next to each other and compress well. */
interface Columns {
  readonly weight: readonly number[];
  /** A letter for each case: passed, failed, errored, missing; upper case for an advisory one. */
  readonly states: string;
  readonly mustPass: string;
  readonly tags: readonly (readonly string[])[];
  /** Of those that did not pass: a verdict may name them. An id does not compress. */
  readonly named: readonly (readonly [id: string, key: string])[];
}

/** As an earlier version stored them. */
type Weighed = readonly Pick<GatedCase, 'weight' | 'passed' | 'errored'>[];

function stateOf({ passed, errored, missing, advisory }: ScoredCase): string {
  const state = missing ? 'm' : errored ? 'e' : passed ? 'p' : 'f';
  return advisory ? state.toUpperCase() : state;
}

/** What the verdict is folded from. */
export const packGated = (results: readonly ScoredCase[]): Columns => ({
  weight: results.map(({ weight }) => weight ?? 0),
  states: results.map(stateOf).join(''),
  mustPass: results.map(({ must_pass }) => (must_pass ? '1' : '0')).join(''),
  tags: results.map(({ tags }) => tags),
  named: results
    .filter((result) => stateOf(result).toLowerCase() !== 'p')
    .map(({ case_id, key }) => [case_id, key === case_id ? '' : key] as const),
});

export function unpackGated(bytes: Uint8Array): Pick<ChunkSummary, 'cases' | 'notices'> {
  const stored = unpackJson(bytes) as Weighed | { cases: Columns; notices: ChunkSummary['notices'] };
  if ('cases' in stored) return { cases: casesOf(stored.cases), notices: stored.notices };
  return { cases: stored.map((weighed) => ({ ...UNNAMED, ...weighed })), notices: [] };
}

const UNNAMED = { id: '', key: '', missing: false, mustPass: false, tags: [], advisory: false };

function casesOf({ weight, states, mustPass, tags, named }: Columns): GatedCase[] {
  let next = 0;
  return weight.map((own, index) => {
    const letter = states[index] ?? 'e';
    const state = letter.toLowerCase();
    const [id, key] = (state === 'p' ? undefined : named[next++]) ?? ['', ''];
    return {
      ...{ id, key: key || id, weight: own },
      ...{ passed: state === 'p', errored: state === 'e', missing: state === 'm' },
      mustPass: mustPass[index] === '1',
      tags: tags[index] ?? [],
      advisory: letter !== state,
    };
  });
}
