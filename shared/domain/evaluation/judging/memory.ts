import { judgeQuestionOf } from '../../../scoring/engine/engine.ts';
import { questionDigest } from '../../../scoring/judging/question.ts';
import type { ScorerOutput } from '../../../scoring/kit/debugOutput.ts';
import type { MayRemember } from '../../runs/judgeProof.ts';
import type { Candidate } from '../../runs/outputs/candidate.ts';
import { answeredModels, withShortTexts } from '../../runs/results/caseResults.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import type { NameJudge } from '../../suites/digests/judgeIdentity.ts';
import type { Evaluation } from '../evaluation.ts';
import type { JudgedSample, KeptVerdict, VerdictStore } from '../ports.ts';
import { questionAbout } from './judgeCase.ts';
import { ownResult, rememberedResult, usageOf } from './keptVerdict.ts';
import type { TokenUsage } from './ports.ts';
import { sumOfUsage } from './usage.ts';

interface MemoryDeps {
  readonly evaluations: VerdictStore;
  readonly nameJudge: NameJudge;
  readonly now: () => number;
}

/** An output that a model judges, by its place among all samples of its chunk. */
export interface OpenSample {
  readonly place: number;
  readonly planned: PlannedCase;
  readonly candidate: Candidate;
}

/** Undefined for a question that is asked each time. */
function digestOf({ planned, candidate }: Omit<OpenSample, 'place'>, nameJudge: NameJudge) {
  const { request } = questionAbout(planned, candidate);
  const { rubric, scale, caseInput, expected, dualSided } = request;
  const { scorer, threshold } = planned;
  return questionDigest(
    {
      ...nameJudge(request.provider, request.model),
      dual_sided: dualSided,
      votes: (scorer && judgeQuestionOf(scorer)?.votes) ?? 1,
      rubric,
      scale,
      run_input: request.candidate.input,
      case_input: caseInput,
      expected,
      output: request.candidate.output,
    },
    {
      threshold,
      precision_threshold: scorer?.precision_threshold ?? null,
      recall_threshold: scorer?.recall_threshold ?? null,
    },
  );
}

/** Which verdicts of other runs are taken. */
interface Taking {
  /** None. */
  readonly asksAgain: boolean;
  readonly mayRemember: MayRemember;
}

/** Verdicts on the outputs of a chunk, by what the judge is asked: the same question of a suite has one answer. */
export class Memory {
  readonly #deps: MemoryDeps;
  readonly #evaluation: Evaluation;
  readonly #chunk: number;
  readonly #taking: Taking;
  readonly #digests = new Map<number, string>();
  /** Whose verdict is not taken, so that another one takes its place. */
  readonly #refused = new Set<string>();

  constructor(deps: MemoryDeps, evaluation: Evaluation, chunk: number, taking: Taking) {
    this.#deps = deps;
    this.#evaluation = evaluation;
    this.#chunk = chunk;
    this.#taking = taking;
  }

  /** The verdicts that are known, by place. */
  async recall(open: readonly OpenSample[]): Promise<ReadonlyMap<number, JudgedSample>> {
    for (const sample of open) {
      const digest = digestOf(sample, this.#deps.nameJudge);
      if (digest !== undefined) this.#digests.set(sample.place, digest);
    }
    const digests = open.flatMap(({ place }) => this.#digests.get(place) ?? []);
    const verdicts = await this.#deps.evaluations.verdicts(this.#evaluation, digests);
    const known = open.flatMap(({ place, planned }): [number, JudgedSample][] => {
      const digest = this.#digests.get(place);
      const kept = digest === undefined ? undefined : verdicts.get(digest);
      if (digest === undefined || kept === undefined) return [];
      if (kept.runToken === this.#evaluation.runToken)
        return [[place, { result: ownResult(planned, kept), usage: this.#usageAt(place, kept) }]];
      if (this.#takes(planned, kept))
        return [[place, { result: rememberedResult(planned, kept), usage: sumOfUsage() }]];
      this.#refused.add(digest);
      return [];
    });
    return new Map(known);
  }

  #takes(planned: PlannedCase, { output }: KeptVerdict): boolean {
    return !this.#taking.asksAgain && this.#mayRemember(planned, output);
  }

  #mayRemember({ scorer }: PlannedCase, output: ScorerOutput): boolean {
    const { mayRemember } = this.#taking;
    return scorer !== null && answeredModels(output).every((model) => mayRemember(scorer, model));
  }

  /** None for a sample that took the verdict on another one of its run. */
  #usageAt(place: number, kept: KeptVerdict): TokenUsage {
    return kept.chunk === this.#chunk && kept.place === place ? usageOf(kept) : sumOfUsage();
  }

  /**
   * Answers what counts: where another run was asked at the same time, the first verdict. An error is kept for this run
   * only, and so is the verdict of a question without a digest. A verdict that is not taken is replaced by one that will be,
   * so that runs which are inconclusive anyway don't choose among verdicts.
   */
  async keep({ place, planned }: OpenSample, judged: JudgedSample): Promise<JudgedSample> {
    const { evaluations, now } = this.#deps;
    const { runToken } = this.#evaluation;
    const { errored, passed, score, reason, scorer_output, duration_ms } = judged.result;
    const digest = this.#digests.get(place);
    if (errored || digest === undefined) {
      await evaluations.saveJudged(this.#evaluation, this.#chunk, place, judged);
      return judged;
    }
    const kept = {
      score,
      passed,
      reason,
      output: withShortTexts(scorer_output),
      durationMs: duration_ms,
      runToken,
      keptAtMs: now(),
      chunk: this.#chunk,
      place,
    };
    const isTaken = this.#mayRemember(planned, scorer_output);
    const replaces = this.#taking.asksAgain || (this.#refused.has(digest) && isTaken);
    const stays = await evaluations.keepVerdict(this.#evaluation, digest, kept, { replaces });
    const { usage } = judged;
    if (stays.runToken === runToken)
      return stays.place === place && stays.chunk === this.#chunk
        ? judged
        : { result: ownResult(planned, stays), usage };
    if (isTaken && !this.#takes(planned, stays)) return judged;
    return { result: rememberedResult(planned, stays), usage };
  }
}
