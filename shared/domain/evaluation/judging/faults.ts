import type { Fault } from '../../../contracts/gates.ts';
import {
  EVALUATION_FAILED,
  faultOfUndecided,
  JUDGE_ERRORS,
  judgeProviderOf,
  UNANSWERED,
} from '../../../scoring/engine/engine.ts';
import type { GatedCase } from '../../../scoring/verdict/gating.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import type { ScoredCase } from '../../runs/ports.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import type { ChunkAnswers, ChunkSummary, Party } from '../evaluation.ts';
import type { JudgeError } from './ports.ts';

const UNANSWERED_CODES: ReadonlySet<unknown> = new Set([...UNANSWERED, EVALUATION_FAILED.code]);
/** Errors of a question that the provider answered, though without a verdict. */
const ANSWERED_CODES: ReadonlySet<unknown> = new Set(
  JUDGE_ERRORS.filter(({ fault }) => fault === 'candidate').map(({ code }) => code),
);

/**
 * The fault of a judge's error as far as the error itself shows it. Where no answer came it is the candidate's until
 * `settleFaults` excuses it. Undefined: as the code declares.
 */
export function faultAtFirst({ code, isOfLoad }: JudgeError, isRunLong: boolean): Fault | undefined {
  if (isOfLoad) return 'service';
  const mayBeOfOutput = UNANSWERED_CODES.has(code) || (code === 'JUDGE_RATE_LIMITED' && isRunLong);
  return mayBeOfOutput ? 'candidate' : undefined;
}

type Sample = Pick<ScoredCase, 'passed' | 'fault' | 'scorer_output'>;

const samplesOf = (result: ScoredCase): readonly Sample[] =>
  result.missing ? [] : (result.samples ?? [result]);

/** Undefined for a sample that no model was to judge. */
function partyOf({ scorer_output }: Sample, planned: PlannedCase | undefined): Party | undefined {
  if (scorer_output.error === EVALUATION_FAILED.code) return 'evaluator';
  const provider = judgeProviderOf(planned?.scorer ?? null);
  return provider && canonicalProvider(provider);
}

/** Before an error of a further vote, the first one was an answer. */
const isAnswered = ({ scorer_output: { error, votes } }: Sample): boolean =>
  error === undefined || votes !== undefined || ANSWERED_CODES.has(error);

const isUnanswered = ({ fault, scorer_output }: Sample): boolean =>
  fault === 'candidate' && UNANSWERED_CODES.has(scorer_output.error);

interface Settled<T> {
  readonly scored: readonly T[];
  readonly answers: ChunkAnswers | undefined;
}

/**
 * The results of a chunk, where the service is blamed for errors of a party that answered nothing. A party that answered
 * another question was not away: the output may be why it did not answer this one.
 */
export function settleFaults<T extends { readonly result: ScoredCase }>(
  scored: readonly T[],
  cases: readonly PlannedCase[],
): Settled<T> {
  const answered = new Set<Party>();
  for (const [place, { result }] of scored.entries()) {
    for (const sample of samplesOf(result).filter(isAnswered)) {
      const party = partyOf(sample, cases[place]);
      if (party !== undefined) answered.add(party).add('evaluator');
    }
  }
  const excused = new Map<Party, number[]>();
  const settled = scored.map((scoredCase, place) => {
    const planned = cases[place];
    const open = samplesOf(scoredCase.result).find(isUnanswered);
    const party = open && partyOf(open, planned);
    if (party === undefined || planned === undefined || answered.has(party)) return scoredCase;
    const places = excused.get(party) ?? [];
    excused.set(party, places);
    places.push(place);
    return { ...scoredCase, result: excusedResult(scoredCase.result, planned) };
  });
  const answers = { answered: [...answered], excused: Object.fromEntries(excused) };
  return { scored: settled, answers: answered.size + excused.size > 0 ? answers : undefined };
}

function excusedResult(result: ScoredCase, { sample_count, sample_pass_rate }: PlannedCase): ScoredCase {
  const { samples } = result;
  if (samples === undefined) return { ...result, fault: 'service' };
  const excused = samples.map((one) => (isUnanswered(one) ? { ...one, fault: 'service' as const } : one));
  const rule = { sampleCount: sample_count, samplePassRate: sample_pass_rate };
  return {
    ...result,
    samples: excused,
    ...(result.errored && { fault: faultOfUndecided(excused, rule) }),
  };
}

/** Of each chunk the places of the cases that it excused though the party answered in another chunk. */
export function blamedPlaces(chunks: readonly ChunkSummary[]): readonly ReadonlySet<number>[] {
  const answered = new Set(chunks.flatMap(({ answers }) => answers?.answered ?? []));
  if (chunks.some(({ failed }) => !failed)) answered.add('evaluator');
  return chunks.map(
    ({ answers }) => new Set([...answered].flatMap((party) => answers?.excused[party] ?? [])),
  );
}

export const blamed = <T extends Pick<GatedCase, 'fault'>>(one: T): T =>
  one.fault === 'service' ? { ...one, fault: 'candidate' } : one;
