import type { Run } from '../../contracts/runs.ts';
import { scoreSuite } from '../../scoring/engine.ts';
import { invalidField, notFound } from '../errors.ts';
import { PLAN } from '../plans.ts';
import type { Ambient, Principal, ProjectStore, RunStore, ScoredCase, SuiteStore } from '../ports.ts';
import { resolveSuite } from './resolveSuite.ts';
import type { SuiteCache } from './suiteCache.ts';

interface Deps extends Ambient {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly runs: RunStore;
  readonly suiteCache: SuiteCache;
}

interface RunRequest extends Pick<Run, 'trigger' | 'trigger_meta'> {
  readonly suite: string;
  readonly project?: string | undefined;
  readonly output: string;
  readonly input: Record<string, unknown>;
}

/** Scores an output with every active case of a suite and commits the run; what is returned is stored. */
export async function executeRun(
  deps: Deps,
  principal: Principal,
  request: RunRequest,
): Promise<{ run: Run; results: readonly ScoredCase[] }> {
  const startedAtMs = deps.now();
  const { at, suite } = await deps.suiteCache.get(principal.orgId, () =>
    resolveSuite(deps, principal, request),
  );
  if (suite.caseCount === 0) {
    throw invalidField(
      'suite',
      'has no active case, and a gate that checks nothing must not clear: add one first',
    );
  }
  const { output, input, trigger, trigger_meta } = request;
  const { results, verdict } = scoreSuite(suite.compiled, { output, input, now: deps.now });
  const completedAtMs = deps.now();
  const scored = results.map(({ errored: _, ...result }) => result);
  const run = await deps.runs.commit({
    orgId: principal.orgId,
    head: at.head,
    revision: suite.revision,
    run: { ...verdict, duration_ms: Math.round(completedAtMs - startedAtMs), trigger, trigger_meta },
    results: scored,
    idempotency: undefined,
    startedAtMs,
    completedAtMs,
    retentionDays: PLAN[principal.plan].retentionDays,
  });
  if (run === undefined) throw notFound('suite');
  return { run, results: scored };
}
