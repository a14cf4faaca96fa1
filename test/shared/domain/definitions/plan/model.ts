import fc from 'fast-check';
import type {
  CaseFields,
  CompleteDefinition,
  ScorerFields,
  SuiteFields,
} from '../../../../../shared/domain/definitions/plan/types.ts';
import { digestedCases } from '../../../../../shared/domain/runs/baseline/caseDigests.ts';
import { documentDigest } from '../../../../../shared/scoring/digest/documents.ts';
import { scorerDigest } from '../../../../../shared/scoring/digest/suiteDigest.ts';
import {
  foldSamples,
  missingResult,
  outputErrorResult,
} from '../../../../../shared/scoring/engine/samples.ts';
import { caseResult } from '../../../../../shared/scoring/engine/score.ts';
import type { CaseResult } from '../../../../../shared/scoring/kit/types.ts';
import {
  type Against,
  type BarCase,
  baselineOutcomes,
} from '../../../../../shared/scoring/verdict/baseline/baseline.ts';
import { foldVerdict } from '../../../../../shared/scoring/verdict/foldVerdict.ts';
import type { GatedCase } from '../../../../../shared/scoring/verdict/gating.ts';

export const NOW_MS = Date.parse('2036-05-05T12:00:00.000Z');
const ENDS = [1, 2].map((days) => new Date(NOW_MS + days * 86_400_000).toISOString());
/** Before, between and after the ends of advisories. */
export const MOMENTS = [NOW_MS, NOW_MS + 1.5 * 86_400_000, NOW_MS + 3 * 86_400_000];

export const aCase = (key: string, fields: Partial<CaseFields> = {}): CaseFields => ({
  key,
  name: key,
  description: null,
  input: {},
  expected: null,
  examples: { pass: [], fail: [] },
  scorer: 'eq',
  threshold: 0.5,
  weight: 1,
  is_active: true,
  tags: [],
  must_pass: false,
  advisory: null,
  sample_count: 1,
  sample_pass_rate: 1,
  ...fields,
});
export const aScorer = (key: string, fields: Partial<ScorerFields> = {}): ScorerFields => ({
  key,
  name: key,
  type: 'exact_match',
  config: {},
  dual_sided: true,
  precision_threshold: null,
  recall_threshold: null,
  ...fields,
});
const aSuite = (fields: Partial<SuiteFields> = {}): SuiteFields => ({
  slug: 's',
  name: 's',
  description: null,
  pass_threshold: 1,
  gates: {},
  keep_outputs: 'failed',
  show_expected: false,
  show_inputs: true,
  show_results: true,
  ...fields,
});
export const define = (
  cases: readonly CaseFields[],
  suite: Partial<SuiteFields> = {},
  scorers: readonly ScorerFields[] = [aScorer('eq')],
): CompleteDefinition => ({
  suite: aSuite(suite),
  scorers: new Map(scorers.map((scorer) => [scorer.key, scorer])),
  cases,
});

const anyShare = fc.constantFrom(0, 0.25, 0.5, 0.75, 0.9, 1);
const anyCount = fc.integer({ min: 1, max: 4 });
const TAGS = ['a', 'b'];

const relativeGates = {
  max_newly_failing: fc.nat(2),
  regression: fc.record({
    alpha: fc.constantFrom(0.25, 0.5),
    min_drop: fc.constantFrom(0, 0.02, 0.3, 0.5),
  }),
  min_comparable: fc.constantFrom(0.25, 0.5, 0.8),
};

const anyGates: fc.Arbitrary<SuiteFields['gates']> = fc.record(
  {
    min_judged_cases: anyCount,
    min_lower_bound: fc.constantFrom(0.1, 0.3, 0.5),
    tags: fc.uniqueArray(
      fc.record({ tag: fc.constantFrom(...TAGS), pass_threshold: anyShare, min_judged_cases: anyCount }),
      { maxLength: 2, selector: ({ tag }) => tag },
    ),
    ...relativeGates,
  },
  { requiredKeys: [] },
);

const anyFields: fc.Arbitrary<Partial<CaseFields>> = fc
  .record({
    threshold: anyShare,
    weight: fc.constantFrom(0, 0.3, 1, 1, 1, 2, 3),
    is_active: fc.constantFrom(true, true, true, false),
    tags: fc.subarray(TAGS),
    must_pass: fc.constantFrom(false, false, true),
    end: fc.option(fc.constantFrom(...ENDS), { freq: 3, nil: undefined }),
    sample_count: fc.constantFrom(1, 1, 2, 3),
    sample_pass_rate: fc.constantFrom(0, 0.5, 1),
  })
  .map(({ end, ...fields }) => ({
    ...fields,
    advisory: end !== undefined && !fields.must_pass ? { owner: 'a', reason: 'b', expires_at: end } : null,
  }));

const KEYS = ['k0', 'k1', 'k2', 'k3', 'k4'];

export interface Edit {
  readonly before: CompleteDefinition;
  readonly after: CompleteDefinition;
  readonly prune: boolean;
}

/** A few fields of what is there, or others of their kind. */
const mixed = <T extends object>(old: T, other: Partial<T>): fc.Arbitrary<T> =>
  fc
    .subarray(Object.keys(other), { maxLength: 2 })
    .map((names) => ({ ...old, ...Object.fromEntries(names.map((name) => [name, other[name as keyof T]])) }));

const fixed = (one: CaseFields): CaseFields => (one.must_pass ? { ...one, advisory: null } : one);

/** Edits whose effect a verdict shows: other texts and configs may always make a bar weaker. */
export const anyEdit: fc.Arbitrary<Edit> = fc
  .record({
    keys: fc.subarray(KEYS, { minLength: 1 }),
    fields: fc.array(anyFields, { minLength: 5, maxLength: 5 }),
    others: fc.array(anyFields, { minLength: 5, maxLength: 5 }),
    isPlain: fc.boolean(),
    bar: fc.record({ pass_threshold: anyShare, gates: anyGates }),
    otherBar: fc.record({ pass_threshold: anyShare, gates: anyGates }),
    sides: fc.tuple(fc.option(anyShare), fc.option(anyShare)),
    prune: fc.boolean(),
    moved: fc.array(fc.constantFrom('same', 'edited', 'gone', 'made', 'same'), {
      minLength: 5,
      maxLength: 5,
    }),
    touchesBar: fc.boolean(),
  })
  .chain((drawn) => {
    const plain = (fields: Partial<CaseFields>) =>
      drawn.isPlain ? { threshold: fields.threshold ?? 0.5 } : fields;
    const caseAt = (index: number, all: readonly Partial<CaseFields>[]) =>
      fixed(aCase(KEYS[index] ?? '', plain(all[index] ?? {})));
    const indices = KEYS.map((_, index) => index);
    const old = indices.filter(
      (index) => drawn.keys.includes(KEYS[index] ?? '') && drawn.moved[index] !== 'made',
    );
    const now = indices.filter(
      (index) => drawn.moved[index] === 'made' || (old.includes(index) && drawn.moved[index] !== 'gone'),
    );
    const edited = fc.tuple(
      ...now.map((index) =>
        drawn.moved[index] === 'edited'
          ? mixed(caseAt(index, drawn.fields), caseAt(index, drawn.others)).map(fixed)
          : fc.constant(caseAt(index, drawn.fields)),
      ),
    );
    return fc.tuple(edited, drawn.touchesBar ? mixed(drawn.bar, drawn.otherBar) : fc.constant(drawn.bar)).map(
      ([cases, bar]): Edit => ({
        before: define(
          old.map((index) => caseAt(index, drawn.fields)),
          drawn.bar,
          [aScorer('eq', { recall_threshold: drawn.sides[0] })],
        ),
        after: define(cases, bar, [
          aScorer('eq', { recall_threshold: drawn.touchesBar ? drawn.sides[0] : drawn.sides[1] }),
        ]),
        prune: drawn.prune,
      }),
    );
  });

/** Only gates that compare runs hold anything up. */
export const anyComparing: fc.Arbitrary<CompleteDefinition> = fc
  .tuple(
    fc.array(anyFields, { minLength: 3, maxLength: 5 }),
    fc.record(relativeGates, { requiredKeys: ['max_newly_failing'] }),
  )
  .map(([all, gates]) =>
    define(
      all.map(({ advisory = null, ...fields }, index) =>
        aCase(KEYS[index] ?? '', { ...fields, must_pass: false, advisory: index === 0 ? advisory : null }),
      ),
      { pass_threshold: 0, gates },
    ),
  );

/** Some of the cases of a definition with a field or two changed. */
export const anyFurtherEdit = (before: CompleteDefinition): fc.Arbitrary<CompleteDefinition> =>
  fc
    .tuple(
      ...before.cases.map((one) =>
        fc
          .option(anyFields)
          .chain((other) => (other === null ? fc.constant(one) : mixed(one, other).map(fixed))),
      ),
    )
    .map((cases) => ({ ...before, cases }));

/** What a scorer says of one output: null where it cannot judge. */
type Sample = { readonly score: number; readonly recall: number } | null;
export type Samples = readonly Sample[];
export type Outputs = ReadonlyMap<string, Samples>;

const anySample: fc.Arbitrary<Sample> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ score: 1, recall: 1 }) },
  { weight: 2, arbitrary: fc.record({ score: anyShare, recall: anyShare }) },
  { weight: 1, arbitrary: fc.constant({ score: 0, recall: 0 }) },
  { weight: 2, arbitrary: fc.constant(null) },
);

export const anyOutputs: fc.Arbitrary<Outputs> = fc
  .tuple(...KEYS.map(() => fc.array(anySample, { maxLength: 3, size: 'max' })))
  .map((all) => new Map(all.map((samples, index) => [KEYS[index] ?? '', samples])));

function resultOf(one: CaseFields, scorer: ScorerFields, samples: readonly Sample[]): CaseResult {
  const named = { id: one.key, name: one.name, threshold: one.threshold };
  const sent = samples.slice(0, one.sample_count).map((sample) => {
    if (sample === null) return outputErrorResult(named, 'no answer');
    const outcome = {
      score: sample.score,
      reason: '',
      output: {},
      errored: false,
      precisionRecall: { precision: 1, recall: sample.recall },
    };
    return caseResult({ ...named, scorer: { ...scorer, id: scorer.key } }, outcome as never, 0);
  });
  const rule = { sampleCount: one.sample_count, samplePassRate: one.sample_pass_rate };
  return sent.length === 0 ? missingResult(named) : foldSamples(sent, rule);
}

function gatedCases({ scorers, cases }: CompleteDefinition, outputs: Outputs, atMs: number): GatedCase[] {
  return cases
    .filter(({ is_active }) => is_active)
    .map((one) => {
      const scorer = scorers.get(one.scorer ?? '');
      if (scorer === undefined) throw new Error('every case has a scorer');
      const { passed, errored, fault, missing = false } = resultOf(one, scorer, outputs.get(one.key) ?? []);
      const advisory = one.advisory !== null && atMs < Date.parse(one.advisory.expires_at);
      const rules = { mustPass: one.must_pass, tags: one.tags, advisory };
      return { id: one.key, key: one.key, weight: one.weight, passed, errored, fault, missing, ...rules };
    });
}

/** Runs that were accepted when the definition was in force, at the first of the moments. */
export interface Accepted {
  readonly by: CompleteDefinition;
  readonly runs: readonly Outputs[];
}

/** Whether the outputs are cleared at that time, by the code that scores runs. */
export function isCleared(
  definition: CompleteDefinition,
  outputs: Outputs,
  atMs: number,
  accepted?: Accepted,
): boolean {
  const gated = gatedCases(definition, outputs, atMs);
  if (!gated.some(({ advisory }) => !advisory)) return false;
  const { pass_threshold: passThreshold, gates } = definition.suite;
  return (
    foldVerdict(gated, { passThreshold, gates }, accepted && againstOf(definition, accepted)).status ===
    'cleared'
  );
}

function againstOf(definition: CompleteDefinition, { by, runs }: Accepted): Against {
  const outcomes = runs.map((outputs) =>
    gatedCases(by, outputs, NOW_MS).map((one) => ({ ...one, score: Number(one.passed) })),
  );
  return {
    runKind: 'outputs',
    baseline: { runs: runs.length, kind: 'outputs', cases: baselineOutcomes(outcomes) },
    pairing: { run: digestOfSuite(definition), baseline: digestOfSuite(by) },
  };
}

function digestOfSuite({ cases, scorers }: CompleteDefinition): BarCase[] {
  const digests = [...scorers].map(([key, scorer]) => [key, scorerDigest(scorer)] as const);
  const rows = cases
    .filter(({ is_active }) => is_active)
    .map(({ key, scorer, input, expected, ...fields }) => ({
      ...fields,
      id: key,
      scorer_id: scorer ?? '',
      input_digest: documentDigest(input),
      expected_digest: documentDigest(expected),
    }));
  return digestedCases(rows, Object.fromEntries(digests));
}
