import type { ChunkSummary } from '../../../domain/evaluation/evaluation.ts';
import { isPass, stateFields, stateOf } from '../../../domain/runs/results/state.ts';
import { unpackJson } from '../../table/blobs.ts';

type GatedCase = ChunkSummary['cases'][number];

/** Field by field, so that equal values are next to each other and compress well. */
interface Columns {
  readonly weight: readonly number[];
  /** A letter for each case: passed, failed, missing, or errored by whose doing; upper case for an advisory one. */
  readonly states: string;
  readonly mustPass: string;
  readonly tags: readonly (readonly string[])[];
  /** Of those that did not pass: a verdict may name them. An id does not compress. */
  readonly named: readonly (readonly [id: string, key: string])[];
}

/** What the verdict is folded from. */
export const packGated = (cases: readonly GatedCase[]): Columns => ({
  weight: cases.map(({ weight }) => weight),
  states: cases.map(stateOf).join(''),
  mustPass: cases.map(({ mustPass }) => (mustPass ? '1' : '0')).join(''),
  tags: cases.map(({ tags }) => tags),
  named: cases
    .filter((one) => !isPass(stateOf(one)))
    .map(({ id, key }) => [id, key === id ? '' : key] as const),
});

export function unpackGated(bytes: Uint8Array): Pick<ChunkSummary, 'cases' | 'notices'> {
  const { cases, notices } = unpackJson(bytes) as { cases: Columns; notices: ChunkSummary['notices'] };
  return { cases: casesOf(cases), notices };
}

function casesOf({ weight, states, mustPass, tags, named }: Columns): GatedCase[] {
  let next = 0;
  return weight.map((own, index) => {
    const state = stateFields(states[index] ?? '');
    const [id, key] = (state.passed ? undefined : named[next++]) ?? ['', ''];
    return {
      ...{ ...state, id, key: key || id, weight: own },
      mustPass: mustPass[index] === '1',
      tags: tags[index] ?? [],
    };
  });
}
