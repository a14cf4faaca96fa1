import { BYOK_KEY_MISSING, caseResult, erroredOutcome, judgeError } from '../../../scoring/engine/engine.ts';
import { type Counted, countVotes, type Vote, type VoteRule } from '../../../scoring/judging/votes.ts';
import { scoreOfLevel } from '../../../scoring/kit/definition.ts';
import type { CaseResult } from '../../../scoring/kit/types.ts';
import { judgeQuestionOf } from '../../../scoring/registry.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import { faultAtFirst } from './faults.ts';
import type { JudgeOutcome, TokenUsage } from './ports.ts';
import { sumOfUsage } from './usage.ts';

type Scored = Parameters<typeof caseResult>[1];
export type AnyOutcome = JudgeOutcome | typeof KEY_MISSING;

const INTERRUPTED = judgeError(
  'JUDGE_UNAVAILABLE',
  'the evaluator was interrupted too often during calls of the judge: run the gate again',
  'candidate',
);

export const KEY_MISSING = {
  kind: 'key_missing',
  ...BYOK_KEY_MISSING,
  reason:
    'neither the project nor the organisation has a key of this provider: add one (POST /v1/byok-keys, evalgate byok add), then run the gate again',
} as const;

export interface JudgedOnce {
  readonly result: CaseResult;
  /** A slot was all that was missing for a verdict. */
  readonly gotNoSlot: boolean;
  /** Of all calls. */
  readonly usage: TokenUsage;
}

interface CastVote extends Vote {
  readonly scored: Scored;
}

/** The votes on one output, as they are cast. */
export class Votes {
  readonly #planned: PlannedCase;
  readonly #isRunLong: boolean;
  readonly #rule: VoteRule;
  readonly #cast: CastVote[] = [];
  readonly #missing: Exclude<AnyOutcome, { kind: 'verdict' }>[] = [];
  #usage = sumOfUsage();

  constructor(planned: PlannedCase, isRunLong: boolean) {
    this.#planned = planned;
    this.#isRunLong = isRunLong;
    this.#rule = voteRuleOf(planned);
  }

  add(outcome: AnyOutcome): void {
    if ('usage' in outcome) this.#usage = sumOfUsage(this.#usage, outcome.usage);
    if (outcome.kind !== 'verdict') return void this.#missing.push(outcome);
    const scored = asScored(outcome, this.#isRunLong);
    const { passed, score } = caseResult(this.#planned, scored, 0);
    this.#cast.push({ score, passed, precisionRecall: scored.precisionRecall, scored });
  }

  get counted(): Counted<CastVote> {
    return countVotes(this.#cast, this.#missing.length, this.#rule);
  }

  /** Of several errors the first one counts. */
  result(durationMs: number): JudgedOnce {
    const { counted } = this;
    const [error] = this.#missing;
    const scored =
      typeof counted === 'object' ? counted.decidedBy.scored : error && asScored(error, this.#isRunLong);
    if (scored === undefined) throw new Error(`Case ${this.#planned.id} has no vote`);
    const shown = { ...scored, output: this.#output(scored) };
    return {
      result: caseResult(this.#planned, shown, durationMs),
      gotNoSlot: scored.errored && this.#missing.some(isNoSlot),
      usage: this.#usage,
    };
  }

  #output({ output, errored }: Scored): Scored['output'] {
    if (this.#cast.length < (errored ? 1 : 2)) return output;
    const votes = this.#cast.map(({ score, passed, scored }) => ({
      score,
      passed,
      answered_model: scored.output.answered_model,
      reason: scored.reason,
    }));
    return { ...output, ...(!errored && { usage: this.#usage }), votes };
  }
}

const isNoSlot = (outcome: AnyOutcome): boolean =>
  outcome.kind === 'error' && outcome.code === 'JUDGE_CONCURRENCY_EXCEEDED';

function voteRuleOf({ threshold, scorer }: PlannedCase): VoteRule {
  const { votes = 1, scale = [] } = (scorer && judgeQuestionOf(scorer)) ?? {};
  return {
    votes,
    threshold,
    precisionThreshold: scorer?.precision_threshold ?? null,
    recallThreshold: scorer?.recall_threshold ?? null,
    levels: scale.map(scoreOfLevel),
  };
}

/** By it readers know whether they can show what the judge received. */
const promptOf = ({ promptVersion }: { readonly promptVersion?: string | undefined }) =>
  promptVersion === undefined ? {} : { prompt_version: promptVersion };

function asScored(outcome: AnyOutcome, isRunLong: boolean): Scored {
  if (outcome.kind === 'not_judged') return erroredOutcome(INTERRUPTED);
  if (outcome.kind === 'key_missing') return erroredOutcome(outcome);
  if (outcome.kind === 'error') {
    const fault = faultAtFirst(outcome, isRunLong);
    const errored = erroredOutcome(judgeError(outcome.code, outcome.reason, fault));
    return { ...errored, output: { ...errored.output, ...outcome.said, ...promptOf(outcome) } };
  }
  const { score, precision, recall, reason, rawResponse, answeredModel, usage } = outcome;
  const precisionRecall = precision === undefined || recall === undefined ? undefined : { precision, recall };
  return {
    score,
    reason,
    output: {
      raw_response: rawResponse,
      answered_model: answeredModel ?? null,
      usage,
      ...promptOf(outcome),
      ...precisionRecall,
    },
    errored: false,
    ...(precisionRecall && { precisionRecall }),
  };
}
