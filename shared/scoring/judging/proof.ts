import type { Gates } from '../../contracts/gates.ts';

/** Whether the judges of a run have shown, in a check, that they fail wrong answers. */
export interface JudgeProof {
  /** The lower bound of the share of wrong answers caught, of the judge with the least. */
  readonly observed: number;
  /** What the first judge lacks that lacks something, and what to do. */
  readonly lack: string | undefined;
}

/** A scorer that models judge some of a run's gating cases by. */
export interface JudgeOfRun {
  /** Its key. */
  readonly scorer: string;
  readonly digest: string;
  /** Those that answered; null for answers in which the provider names none. */
  readonly models: readonly (string | null)[];
  /** The key of a case whose threshold is lower by now than the one that the check held its wrong answers to. */
  readonly lowered?: string | undefined;
}

/** What a check found of a judge: see `contracts/judgeChecks.ts`. */
interface CheckedJudge {
  readonly scorer_digest: string;
  readonly answered_models: readonly (string | null)[];
  readonly fail: {
    readonly sent: number;
    readonly caught: number;
    readonly errored: number;
    readonly lower: number;
  };
}

/** The last check that was done of a suite, beside a run of it. */
interface Checked {
  readonly createdAtMs: number;
  readonly check: { readonly endedAtMs: number; readonly judges: readonly CheckedJudge[] } | undefined;
}

export interface JudgeEvidence extends Checked {
  /** The slug of the suite. */
  readonly suite: string;
  readonly judges: readonly JudgeOfRun[];
}

type JudgesGate = NonNullable<Gates['judges']>;

const DAY_MS = 86_400_000;
const MODEL_LENGTH_MAX = 100;

/** Undefined for a run without judges. */
export function proofOf(evidence: JudgeEvidence, gate: JudgesGate): JudgeProof | undefined {
  const { judges } = evidence;
  if (judges.length === 0) return undefined;
  const proven = judges.map((one) => checkOf(one, evidence)?.fail.lower ?? 0);
  const [lack] = judges.flatMap((one) => lackOf(one, gate, evidence) ?? []);
  return { observed: Number(Math.min(...proven).toPrecision(9)), lack };
}

/** Whether a check that is not too old has seen the model judge by the scorer with this digest. */
export const hasSeen = (model: string | null, digest: string, checked: Checked, gate: JudgesGate): boolean =>
  !isOld(checked, gate) && checkOf({ digest }, checked)?.answered_models.includes(model) === true;

const checkOf = ({ digest }: Pick<JudgeOfRun, 'digest'>, { check }: Checked) =>
  check?.judges.find(({ scorer_digest }) => scorer_digest === digest);

const isOld = ({ check, createdAtMs }: Checked, { max_age_days }: JudgesGate): boolean =>
  check !== undefined && check.endedAtMs < createdAtMs - max_age_days * DAY_MS;

function lackOf(judge: JudgeOfRun, gate: JudgesGate, evidence: JudgeEvidence): string | undefined {
  const { scorer, models, lowered } = judge;
  const { suite } = evidence;
  const again = `evalgate check ${suite}`;
  const checked = checkOf(judge, evidence);
  if (checked === undefined) return `judge ${scorer} has not been checked as it is now: ${again}`;
  if (isOld(evidence, gate)) return `judge ${scorer} was checked too long ago: ${again}`;
  if (lowered !== undefined)
    return `judge ${scorer} was checked while case ${lowered} had a higher threshold: ${again}`;
  const unseen = models.find((model) => !checked.answered_models.includes(model));
  if (unseen !== undefined) {
    const model = unseen === null ? 'without the name of a model' : `as ${unseen.slice(0, MODEL_LENGTH_MAX)}`;
    return `judge ${scorer} answered ${model}, which no check has seen: ${again}`;
  }
  const { caught, sent, errored, lower } = checked.fail;
  if (lower >= gate.min_caught) return undefined;
  if (sent === 0)
    return `the cases of judge ${scorer} have no wrong answers: add some (examples.fail), then ${again}`;
  if (errored > 0)
    return `judge ${scorer} caught ${caught} of ${sent} wrong answers, and ${errored} could not be judged: ${again}`;
  const proves = Math.floor(lower * 1_000) / 1_000;
  return `judge ${scorer} caught ${caught} of ${sent} wrong answers, which proves ${proves}, and it takes ${gate.min_caught}: add wrong answers or make its rubric stricter, then ${again}`;
}
