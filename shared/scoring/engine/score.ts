import { scoreJobs } from '../execution/batch.ts';
import type { Scored } from '../execution/job.ts';
import type { Outcome, PrecisionRecall } from '../kit/definition.ts';
import { configInvalid } from '../kit/errors.ts';
import { THIS_PROCESSOR } from '../kit/guard.ts';
import { Subject } from '../kit/reading/subject.ts';
import type {
  CaseResult,
  Job,
  JobPlan,
  PlannedJob,
  PreparedSuite,
  ScoringRequest,
  SentOutput,
  SuiteCase,
  SuiteScorer,
} from '../kit/types.ts';
import { reaches } from '../verdict/tolerance.ts';
import { answerMissingResult, outputErrorResult, traceMissingResult } from './samples.ts';
import { planOf } from './suite.ts';

/**
 * The results of each case, one for each output that was sent for it. The same output gets the same result, except for
 * scorers that reach a deadline: errors, never passes.
 */
export function scoreSuite(compiled: PreparedSuite, request: ScoringRequest): CaseResult[][] {
  const plan = planOf(compiled);
  const only = onlyOutput(plan, request);
  return only === undefined ? scoreEach(plan, request) : scoreAll(plan, only, request);
}

type Output = SentOutput & { readonly output: string };

/** The one output that every case sees. */
function onlyOutput({ cases }: JobPlan, { outputsOf }: ScoringRequest): Output | undefined {
  const first = outputsOf(0);
  const [only] = first;
  if (first.length !== 1 || only?.output === undefined) return undefined;
  const { output } = only;
  return cases.every((_, index) => outputsOf(index) === first) ? { ...only, output } : undefined;
}

/** The plan's jobs as they are: nothing has to be looked up for a case. */
function scoreAll(
  { jobs, cases }: JobPlan,
  only: Output,
  { now, sharedTime }: ScoringRequest,
): CaseResult[][] {
  const { output, metadata, trace } = only;
  const subject = new Subject(output, metadata, trace);
  const scored = scoreJobs(
    jobs.map((job) => ({ ...job, subject })),
    now,
    THIS_PROCESSOR,
    sharedTime,
  );
  return cases.map(({ evalCase, job, readsTrace }) => [
    readsTrace && trace === undefined ? traceMissingResult(evalCase) : resultAt(scored, evalCase, job),
  ]);
}

function scoreEach(
  { jobs: planned, cases }: JobPlan,
  { outputsOf, now, sharedTime }: ScoringRequest,
): CaseResult[][] {
  const jobs = new SharedJobs(planned);
  const samples = cases.map(({ job, readsTrace }, index) =>
    outputsOf(index).map((sent) => {
      const isKnown = readsTrace ? sent.trace !== undefined : sent.output !== undefined;
      return { sent, place: isKnown ? jobs.place(job, sent) : NOT_SCORED };
    }),
  );
  const scored = scoreJobs(jobs.all, now, THIS_PROCESSOR, sharedTime);
  return cases.map(({ evalCase }, index) =>
    (samples[index] ?? []).map(({ sent, place }) => {
      // What was done before the error is not excused by it.
      if (sent.error !== undefined && scored.outcomes[place]?.neverPasses !== 'by_deed') {
        return outputErrorResult(evalCase, sent.error);
      }
      if (place !== NOT_SCORED) return resultAt(scored, evalCase, place);
      return sent.trace === undefined ? traceMissingResult(evalCase) : answerMissingResult(evalCase);
    }),
  );
}

const NOT_SCORED = -1;

const resultAt = ({ outcomes, durationsMs }: Scored, evalCase: SuiteCase, place: number): CaseResult =>
  caseResult(evalCase, outcomes[place] ?? configInvalid('it was not run'), durationsMs[place] ?? 0);

/** Each job runs once for an output, however many cases have both. */
class SharedJobs {
  readonly all: Job[] = [];
  readonly #planned: readonly PlannedJob[];
  readonly #bySent = new Map<SentOutput, Placed>();
  readonly #byText = new Map<string, Placed>();

  constructor(planned: readonly PlannedJob[]) {
    this.#planned = planned;
  }

  place(job: number, sent: SentOutput): number {
    const placed = this.#placedOf(sent);
    if (placed.job === job) return placed.place;
    const known = placed.others?.get(job);
    const planned = this.#planned[job];
    if (known !== undefined || planned === undefined) return known ?? -1;
    const place = this.all.push({ ...planned, subject: placed.subject }) - 1;
    if (placed.job === undefined) {
      placed.job = job;
      placed.place = place;
    } else {
      placed.others ??= new Map();
      placed.others.set(job, place);
    }
    return place;
  }

  #placedOf(sent: SentOutput): Placed {
    const { output = '', metadata, trace } = sent;
    const isText = metadata === undefined && trace === undefined;
    const known = isText ? this.#byText.get(output) : this.#bySent.get(sent);
    if (known !== undefined) return known;
    const placed: Placed = {
      subject: new Subject(output, metadata, trace),
      job: undefined,
      place: -1,
      others: undefined,
    };
    if (isText) this.#byText.set(output, placed);
    else this.#bySent.set(sent, placed);
    return placed;
  }
}

/** The jobs of an output. Most outputs are of one case, and have one. */
interface Placed {
  readonly subject: Subject;
  job: number | undefined;
  place: number;
  others: Map<number, number> | undefined;
}

/** A model answers with the two shares only. */
type JudgedOutcome = Omit<Outcome, 'precisionRecall'> & {
  readonly precisionRecall?: Pick<PrecisionRecall, 'precision' | 'recall'>;
};

/** The result of a case. Decides whether the case passes, for judged cases too. */
export function caseResult(
  { id, name, threshold, scorer }: Omit<SuiteCase, 'weight' | 'expected'>,
  outcome: JudgedOutcome,
  durationMs: number,
): CaseResult {
  const result: CaseResult = {
    case_id: id,
    case_name: name,
    passed: mayPass(outcome) && reaches(outcome.score, threshold) && reachesThresholds(outcome, scorer),
    score: outcome.score,
    threshold,
    reason: outcome.reason,
    scorer_output: outcome.output,
    duration_ms: durationMs,
    errored: outcome.errored,
  };
  // Not spread: that would cost each of thousands of cases as much as the rest.
  if (outcome.fault !== undefined) result.fault = outcome.fault;
  return result;
}

const mayPass = ({ errored, neverPasses }: JudgedOutcome): boolean => !errored && neverPasses === undefined;

/** An outcome without precision and recall reaches no threshold of them. */
function reachesThresholds({ precisionRecall }: JudgedOutcome, scorer: SuiteScorer | null): boolean {
  const { precision = 0, recall = 0 } = precisionRecall ?? {};
  return (
    reaches(precision, scorer?.precision_threshold ?? 0) && reaches(recall, scorer?.recall_threshold ?? 0)
  );
}
