import { inWords, parseConfig } from '../kit/config.ts';
import type { Outcome } from '../kit/definition.ts';
import { BYOK_KEY_MISSING, configInvalid, erroredOutcome, noSides, SCORER_NOT_FOUND } from '../kit/errors.ts';
import { Expected } from '../kit/reading/expected.ts';
import { readingAs } from '../kit/reading/fields.ts';
import type { JobPlan, PlannedJob, PreparedSuite, Suite, SuiteCase, SuiteScorer } from '../kit/types.ts';
import { definitionOf, loadScorers } from '../registry.ts';
import { readsTrace } from './judged.ts';

/** Loads the code of the suite's scorers, so that scoring is synchronous. */
export async function prepareSuite(suite: Suite): Promise<PreparedSuite> {
  await loadScorers(suite.cases.map(({ scorer }) => scorer?.type));
  return { suite, plan: null };
}

export function planOf(compiled: PreparedSuite): JobPlan {
  compiled.plan ??= makePlan(compiled.suite.cases);
  return compiled.plan;
}

const NO_EXPECTED = new Expected(undefined);

function makePlan(cases: readonly SuiteCase[]): JobPlan {
  const jobs: PlannedJob[] = [];
  const scorersById = new Map<string, PlannedJob>();
  const sharedJobs = new Map<PlannedJob, number>();
  const planned = cases.map((evalCase) => {
    const scorer = evalCase.scorer === null ? MISSING : jobOf(evalCase.scorer, scorersById);
    const isShared = scorer.compiled?.usesExpected !== true;
    const known = isShared ? sharedJobs.get(scorer) : undefined;
    const reads = { readsTrace: readsTrace(evalCase.scorer?.type ?? '') };
    if (known !== undefined) return { evalCase, job: known, ...reads };
    const job = jobs.push(isShared ? scorer : { ...scorer, expected: new Expected(evalCase.expected) }) - 1;
    if (isShared) sharedJobs.set(scorer, job);
    return { evalCase, job, ...reads };
  });
  return { jobs, cases: planned };
}

const MISSING = failing(erroredOutcome(SCORER_NOT_FOUND));

function failing(fixed: Outcome): PlannedJob {
  return { compiled: null, expected: NO_EXPECTED, fixed };
}

function jobOf(scorer: SuiteScorer, scorersById: Map<string, PlannedJob>): PlannedJob {
  const known = scorersById.get(scorer.id);
  if (known !== undefined) return known;
  const job = compileScorer(scorer);
  scorersById.set(scorer.id, job);
  return job;
}

function compileScorer(scorer: SuiteScorer): PlannedJob {
  const definition = definitionOf(scorer.type);
  if (definition === undefined) return failing(configInvalid(`there is no scorer type ${scorer.type}`));
  if (!('compile' in definition)) return failing(erroredOutcome(BYOK_KEY_MISSING));
  const parsed = parseConfig(definition, scorer.config);
  if (!parsed.ok) return failing(configInvalid(parsed.issues.map(inWords).join('; ')));
  if (definition.isOneSided && scorer.dual_sided) return failing(configInvalid(noSides(scorer.type)));
  const compiled = readingAs(
    parsed.config,
    definition.compile(parsed.config, { dualSided: scorer.dual_sided }),
  );
  return { compiled, expected: NO_EXPECTED, fixed: null };
}
