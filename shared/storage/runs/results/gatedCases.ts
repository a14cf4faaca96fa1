import type { ChunkSummary, JudgeTokens } from '../../../domain/evaluation/evaluation.ts';
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
  /** Left out where a model judges none of the cases. */
  readonly judged?: JudgedColumns;
}

type Judged = NonNullable<GatedCase['judged']>;

interface JudgedColumns {
  /** A letter for each case: judged, judged without a digest, not judged. */
  readonly which: string;
  /** One after the other: bytes that are random leave nothing to compress but what is between them. */
  readonly digests: string;
  /** Most cases are judged by the same models: each list of them once, and for each judged case which it is. */
  readonly models: readonly Judged['models'][];
  readonly judgedBy: readonly number[];
}

const DIGEST_LENGTH = 16;

/** What the verdict is folded from. */
export const packGated = (cases: readonly GatedCase[]): Columns => ({
  weight: cases.map(({ weight }) => weight),
  states: cases.map(stateOf).join(''),
  mustPass: cases.map(({ mustPass }) => (mustPass ? '1' : '0')).join(''),
  tags: cases.map(({ tags }) => tags),
  named: cases
    .filter((one) => !isPass(stateOf(one)))
    .map(({ id, key }) => [id, key === id ? '' : key] as const),
  ...judgedColumns(cases),
});

function judgedColumns(cases: readonly GatedCase[]): Pick<Columns, 'judged'> {
  const judged = cases.flatMap((one) => one.judged ?? []);
  if (judged.length === 0) return {};
  const models = new Map(judged.map((one) => [JSON.stringify(one.models), one.models]));
  const texts = [...models.keys()];
  return {
    judged: {
      which: cases.map((one) => letterOf(one.judged)).join(''),
      digests: judged.map(({ outputDigest }) => outputDigest ?? '').join(''),
      models: [...models.values()],
      judgedBy: judged.map((one) => texts.indexOf(JSON.stringify(one.models))),
    },
  };
}

const letterOf = (judged: Judged | undefined): string =>
  judged === undefined ? '-' : judged.outputDigest === null ? 'n' : 'd';

/** By place. */
function judgedOutcomes({ judged }: Columns): ReadonlyMap<number, Judged> {
  const outcomes = new Map<number, Judged>();
  if (judged === undefined) return outcomes;
  let digestAt = 0;
  for (const [place, letter] of [...judged.which].entries()) {
    if (letter === '-') continue;
    const models = judged.models[judged.judgedBy[outcomes.size] ?? -1];
    const outputDigest = letter === 'd' ? judged.digests.slice(digestAt, digestAt + DIGEST_LENGTH) : null;
    digestAt += outputDigest?.length ?? 0;
    if (models === undefined || (outputDigest !== null && outputDigest.length < DIGEST_LENGTH)) {
      throw new Error(`What was judged of case ${place} of a chunk is gone`);
    }
    outcomes.set(place, { outputDigest, models });
  }
  return outcomes;
}

type Weighed = Pick<ChunkSummary, 'cases' | 'notices' | 'answers'> & {
  readonly judge?: JudgeTokens | undefined;
};

export function unpackGated(bytes: Uint8Array): Weighed {
  const { cases, ...beside } = unpackJson(bytes) as Omit<Weighed, 'cases'> & { cases: Columns };
  return { cases: casesOf(cases), ...beside };
}

function casesOf(columns: Columns): GatedCase[] {
  const { weight, states, mustPass, tags, named } = columns;
  const judged = judgedOutcomes(columns);
  let next = 0;
  return weight.map((caseWeight, index) => {
    const state = stateFields(states[index] ?? '');
    const [id, key] = (state.passed ? undefined : named[next++]) ?? ['', ''];
    return {
      ...state,
      id,
      key: key || id,
      weight: caseWeight,
      mustPass: mustPass[index] === '1',
      tags: tags[index] ?? [],
      ...(judged.has(index) && { judged: judged.get(index) }),
    };
  });
}
