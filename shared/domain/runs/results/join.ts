import { GONE, type ShownOutput, shownOutputs } from '../../../scoring/kit/shownOutputs.ts';
import { numberIn } from '../../revisions/ids.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import type { ScoredCase } from '../ports.ts';
import { completeOutput, completeValue, differenceOf, isSame, outputDifference } from './difference.ts';
import { type Excerpted, excerptsOf, shortTexts, type Texts } from './excerpts.ts';
import { stateFields, stateOf } from './state.ts';
import type { OfCase, SaidField, StoredResult } from './storedResult.ts';

/** What case and scorer say of a result. */
export interface CaseSays
  extends Pick<PlannedCase, 'id' | 'key' | 'name' | 'threshold' | 'weight' | 'must_pass' | 'tags'> {
  /** Its config is `GONE` where it has been dropped. */
  readonly scorer: ConfiguredScorer | null;
  /** `GONE` where they have been dropped, or were not read. */
  readonly expected: unknown;
  readonly input: Texts['input'] | typeof GONE;
}

/** `texts`: where they were read for excerpts. Else a result quotes no more than what its scorer reads. */
function caseSays(planned: PlannedCase, texts: Texts | undefined): CaseSays {
  const { id, name, key, threshold, weight, must_pass, tags, scorer } = planned;
  const { expected, input } = texts ?? planned;
  return { id, name, key, threshold, weight, must_pass, tags, scorer, expected, input };
}

/** Of a case none of whose texts is known. */
export const NOT_READ: Pick<CaseSays, 'expected' | 'input'> = { expected: GONE, input: GONE };

interface ConfiguredScorer {
  readonly type: string;
  readonly config: unknown;
}

type Sample = NonNullable<ScoredCase['samples']>[number];
type StoredSample = NonNullable<StoredResult['samples']>[number];

const ofCase = ({
  id,
  name,
  key,
  threshold,
  weight,
  must_pass,
  tags,
}: CaseSays): Pick<ScoredCase, OfCase> => ({
  case_id: id,
  case_name: name,
  key,
  threshold,
  weight,
  must_pass,
  tags,
});

/** A scorer is one object for all of its cases. */
const known = new WeakMap<ConfiguredScorer, ReturnType<typeof shownOutputs>>();

function outputsBy(scorer: ConfiguredScorer): ReturnType<typeof shownOutputs> {
  const outputs = known.get(scorer) ?? shownOutputs(scorer);
  known.set(scorer, outputs);
  return outputs;
}

const NOTHING: ShownOutput = new Map();

function shownOutput(says: CaseSays | undefined): ShownOutput {
  if (says === undefined || says.scorer === null) return NOTHING;
  return outputsBy(says.scorer)(says.expected);
}

/** As samples show it. */
const inSamples = (shown: ShownOutput): ShownOutput =>
  new Map(
    [...shown].map(([name, { value, byEntry }]) => [
      name,
      { value: value === GONE ? GONE : shortTexts(value).value, byEntry },
    ]),
  );

function saidExcerpts(says: CaseSays | undefined) {
  const { input, expected } = says ?? NOT_READ;
  return excerptsOf({ ...(input !== GONE && { input }), ...(expected !== GONE && { expected }) });
}

/** Of these cases, in their order. */
export const splitResults = (
  excerpted: readonly Excerpted[],
  cases: readonly PlannedCase[],
): StoredResult[] =>
  excerpted.map(({ result, texts }, index) => {
    const planned = cases[index];
    return split(result, planned && caseSays(planned, texts));
  });

/** As it is stored. `says`: undefined where it is to be stored whole. */
export function split(result: ScoredCase, says?: CaseSays): StoredResult {
  const { case_id, case_name, key, threshold, weight, must_pass, tags, ...resultFields } = result;
  const {
    passed,
    errored,
    missing,
    advisory,
    fault,
    samples,
    expected_excerpt,
    input_excerpt,
    ...storedFields
  } = resultFields;
  const state = stateOf(result);
  const member = says && numberIn(says.id);
  const by = member === undefined ? undefined : says;
  const other = othersOf(result, { ...(by && ofCase(by)), ...stateFields(state) });
  const shown = shownOutput(by);
  const isExcerpted = expected_excerpt !== undefined || input_excerpt !== undefined;
  const excerpts = isExcerpted ? saidExcerpts(by) : undefined;
  return {
    ...storedFields,
    member: member ?? null,
    state,
    ...(other && { other }),
    scorer_output: outputDifference(result.scorer_output, shown),
    ...(samples && { samples: splitSamples(samples, inSamples(shown)) }),
    ...(expected_excerpt !== undefined && {
      expected_excerpt: differenceOf(expected_excerpt, excerpts?.expected_excerpt),
    }),
    ...(input_excerpt !== undefined && {
      input_excerpt: differenceOf(input_excerpt, excerpts?.input_excerpt),
    }),
  };
}

const SAID_FIELDS: readonly SaidField[] = [
  ...(['case_id', 'case_name', 'key', 'threshold', 'weight', 'must_pass', 'tags'] as const),
  ...(['passed', 'errored', 'missing', 'advisory', 'fault'] as const),
];

type Fields = Partial<Pick<ScoredCase, SaidField>>;

function othersOf(result: Fields, known: Fields): Fields | undefined {
  const differing = SAID_FIELDS.filter((name) => !isSame(result[name], known[name]));
  return differing.length === 0
    ? undefined
    : Object.fromEntries(differing.map((name) => [name, result[name]]));
}

const splitSamples = (samples: readonly Sample[], shown: ShownOutput): StoredSample[] =>
  samples.map((sample) => ({ ...sample, scorer_output: outputDifference(sample.scorer_output, shown) }));

export interface Joined {
  readonly result: ScoredCase;
  /** It says `null` in place of what its case or its scorer say, since that is not known. */
  readonly isLost: boolean;
}

/** As it was before it was stored. */
export function join(stored: StoredResult, says: CaseSays | undefined): Joined {
  const {
    member: _,
    state,
    other,
    samples,
    scorer_output,
    expected_excerpt,
    input_excerpt,
    ...storedFields
  } = stored;
  const seen = { isLost: false };
  const take = (value: unknown): unknown => {
    if (value !== GONE && value !== undefined) return value;
    seen.isLost = true;
    return null;
  };
  const shown = shownOutput(says);
  const excerpts = expected_excerpt || input_excerpt ? saidExcerpts(says) : undefined;
  const result = {
    ...storedFields,
    ...(says && ofCase(says)),
    ...stateFields(state),
    ...other,
    scorer_output: completeOutput(scorer_output, shown, take),
    ...(samples && { samples: joinSamples(samples, inSamples(shown), take) }),
    ...(expected_excerpt && {
      expected_excerpt: completeValue(expected_excerpt, excerpts?.expected_excerpt, take),
    }),
    ...(input_excerpt && { input_excerpt: completeValue(input_excerpt, excerpts?.input_excerpt, take) }),
    ...(seen.isLost && { excerpts_cut: true }),
  };
  return { result: result as ScoredCase, ...seen };
}

const joinSamples = (
  samples: NonNullable<StoredResult['samples']>,
  shown: ShownOutput,
  take: (value: unknown) => unknown,
): Sample[] =>
  samples.map((sample) => ({ ...sample, scorer_output: completeOutput(sample.scorer_output, shown, take) }));
