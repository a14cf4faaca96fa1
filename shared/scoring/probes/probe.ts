import type { BarWarning } from '../../contracts/gates.ts';
import { foldCase, gatedCase, type RuledCase } from '../engine/cases.ts';
import { EXPECTED_MISSING, SCORER_CONFIG_INVALID, SCORER_NOT_FOUND } from '../kit/errors.ts';
import type { SentOutput } from '../kit/types.ts';
import { type FoldedVerdict, foldVerdict } from '../verdict/foldVerdict.ts';
import { comparesRuns } from '../verdict/gates/comparesRuns.ts';
import type { GateSettings } from '../verdict/gating.ts';
import { reaches } from '../verdict/tolerance.ts';
import { outputsFor, type ProbeOutput, sentWith } from './outputs.ts';
import { leastAbove, openProbe, type ProbedResult, scoreInPasses } from './passes.ts';

const CASES_NAMED_MAX = 5;

/**
 * Which answers without content, and which fixed ones, a suite of these active cases would clear, and which of its cases
 * no output passes. Judges are not called: what only they stop is no finding.
 */
export async function probe<Case extends RuledCase>(
  cases: readonly Case[],
  settings: GateSettings,
  advisoryOf: (evalCase: Case) => boolean,
): Promise<BarWarning[]> {
  const probed = await probedSuite(cases, settings, advisoryOf, isLost);
  const cleared = probed.answers.filter(({ verdict }) => verdict?.status === 'cleared');
  const clears = cleared.filter((answer) => !isLeftToBaseline(answer, settings));
  return [
    ...emptyFindings(
      clears.filter(({ output }) => output.isEmpty),
      settings,
    ),
    ...caseFindings(probed),
    ...clears
      .filter(({ output }) => !output.isEmpty)
      .map(({ output: { name } }) => finding('CONSTANT_CLEARS', `${name} would clear this suite`)),
  ];
}

interface ProbedAnswer {
  readonly output: ProbeOutput;
  readonly sent: SentOutput;
  /** Without gates that compare runs. Undefined where nothing is known, or no case gates. */
  readonly verdict: FoldedVerdict | undefined;
}

interface ProbedSuite {
  readonly cases: readonly RuledCase[];
  readonly answers: readonly ProbedAnswer[];
  /** By the place of the case, one an answer. */
  readonly results: readonly (readonly ProbedResult[])[];
  /** Whether no run is cleared without a verdict on the case. */
  readonly isNeeded: (index: number) => boolean;
}

interface Known {
  readonly evalCase: RuledCase;
  readonly results: readonly ProbedResult[];
}

/** Whether an answer is aborted, whatever becomes of the cases that were not scored yet. */
type IsLost = (known: readonly Known[], answer: number, weight: number, settings: GateSettings) => boolean;

const isLost: IsLost = (known, answer, weight, { passThreshold }) => {
  let lost = 0;
  for (const { evalCase, results } of known) {
    if (results[answer]?.passed !== false) continue;
    if (evalCase.must_pass) return true;
    lost += evalCase.weight;
  }
  return weight > 0 && !reaches(1 - lost / weight, passThreshold);
};

/** The verdict of each answer, as a run that sent nothing else would get it; undefined once it is lost. */
export async function probedSuite<Case extends RuledCase>(
  cases: readonly Case[],
  settings: GateSettings,
  advisoryOf: (evalCase: Case) => boolean,
  isLostAnswer: IsLost = () => false,
): Promise<ProbedSuite> {
  const outputs = outputsFor(cases);
  const sent = sentWith(cases, outputs);
  const advisory = cases.map(advisoryOf);
  const weight = cases.reduce((sum, one, index) => sum + (advisory[index] ? 0 : one.weight), 0);
  const lost = new Set<number>();
  // The empty answer goes on: by it a case shows that no output passes.
  const going = () => sent.map((one, answer) => (answer > 0 && lost.has(answer) ? undefined : one));
  let next = going();
  const results = await scoreInPasses(
    cases,
    () => next,
    openProbe(),
    (all) => {
      const known = all.flatMap((some, index) => {
        const evalCase = cases[index];
        return evalCase && !advisory[index] ? [{ evalCase, results: some }] : [];
      });
      for (const answer of sent.keys()) if (isLostAnswer(known, answer, weight, settings)) lost.add(answer);
      next = going();
    },
  );
  const isGateless = advisory.every(Boolean);
  const absolute = { ...settings, gates: withoutRelative(settings.gates) };
  /** Of what one result a case gives; each of its samples has the same. */
  const verdictWith = (resultOf: (index: number) => ProbedResult): FoldedVerdict | undefined => {
    const gated = cases.flatMap((evalCase, index) => {
      const result = resultOf(index);
      if (result === undefined) return [];
      const samples = Array(evalCase.sample_count).fill(result);
      return [gatedCase(evalCase, foldCase(evalCase, samples).result, advisory[index] === true)];
    });
    return isGateless || gated.length < cases.length ? undefined : foldVerdict(gated, absolute);
  };
  const answers = outputs.map((output, place) => ({
    output,
    sent: sent[place] ?? { output: output.text },
    verdict: lost.has(place) ? undefined : verdictWith((index) => results[index]?.[place]),
  }));
  const isNeeded = (errored: number): boolean => {
    const verdict = verdictWith((index) => {
      const [result] = results[index] ?? [];
      return result && index !== errored ? { ...result, passed: true, errored: false } : result;
    });
    return verdict?.status === 'aborted';
  };
  return { cases, answers, results, isNeeded };
}

function withoutRelative({
  max_newly_failing: _,
  regression: __,
  min_comparable: ___,
  ...gates
}: GateSettings['gates']) {
  return gates;
}

/** A bar of nothing but comparisons stops by its baseline what some case fails. */
const isLeftToBaseline = ({ verdict }: ProbedAnswer, { passThreshold, gates }: GateSettings): boolean =>
  comparesRuns(gates) && passThreshold === 0 && verdict?.failed_cases !== 0;

const finding = (code: BarWarning['code'], message: string, key?: string): BarWarning => ({
  gate: 'pass_rate',
  code,
  ...(key !== undefined && { case: key }),
  message,
});

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function emptyFindings(
  clears: readonly ProbedAnswer[],
  { passThreshold, gates }: GateSettings,
): BarWarning[] {
  const [first, ...otherClears] = clears;
  if (first?.verdict === undefined) return [];
  const { passed_cases, total_cases, pass_rate, failed_cases } = first.verdict;
  const more = otherClears.length === 0 ? '' : `, like ${otherClears.length} more without content,`;
  const isCompared = failed_cases > 0 && comparesRuns(gates);
  const rates = clears.map(({ verdict }) => verdict?.pass_rate ?? 0);
  const stopping = leastAbove((share) => rates.some((rate) => reaches(rate, share)), 1_000);
  const shares = failed_cases === 0 ? '' : `, ${percent(pass_rate)} ≥ ${percent(passThreshold)}`;
  const cure =
    stopping === undefined
      ? `add a case that ${first.output.name} fails`
      : `pass_threshold ${stopping} stops it`;
  const passedOfTotal = `${passed_cases} of ${total_cases} ${total_cases === 1 ? 'case' : 'cases'}`;
  return [
    finding(
      'NOTHING_CLEARS_IT',
      `${isCompared ? 'but for its baseline, ' : ''}${first.output.name}${more} would clear this suite: ${passedOfTotal}${shares}; ${cure}`,
    ),
  ];
}

const LACKS = new Map<unknown, (type: string, expected: unknown) => string>([
  [
    EXPECTED_MISSING.code,
    (type, expected) =>
      (expected ?? null) === null
        ? `${type} has no expected to compare with`
        : `its expected is nothing that ${type} can compare with`,
  ],
  [SCORER_NOT_FOUND.code, () => 'its scorer was deleted'],
  [SCORER_CONFIG_INVALID.code, (type) => `its scorer, ${type}, cannot be used as it is`],
]);

/** What these errors depend on is no output: the empty answer shows them. */
function caseFindings({ cases, results, isNeeded }: ProbedSuite): BarWarning[] {
  const broken = cases.flatMap((evalCase, index) => {
    const error = results[index]?.[0]?.scorer_output.error;
    return LACKS.has(error) ? [{ evalCase, index, error }] : [];
  });
  const left = broken.length - CASES_NAMED_MAX;
  return broken
    .slice(0, CASES_NAMED_MAX)
    .map(({ evalCase: { key, scorer, expected }, index, error }, place) => {
      const lack = LACKS.get(error)?.(scorer?.type ?? '', expected);
      const effect = isNeeded(index) ? 'every run is inconclusive' : 'no output passes it';
      const more = left > 0 && place === CASES_NAMED_MAX - 1 ? `; so it is with ${left} more` : '';
      return finding('CASE_CANNOT_PASS', `case ${key}: ${lack}, so that ${effect}${more}`, key);
    });
}
