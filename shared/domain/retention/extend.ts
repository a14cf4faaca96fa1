import { REQUESTS_SETTLED_MS } from '../limits.ts';
import type { WorkQueue } from '../messages.ts';
import { PLAN } from '../plans.ts';
import type { Ambient } from '../ports.ts';
import { type Extension, type Position, type RetentionStore, START } from './ports.ts';
import { retainedSince } from './retention.ts';

/** A step takes a few seconds of a function's 15 minutes. */
const RUNS_PER_STEP = 100;
const SUITES_PER_STEP = 100;
/** After this time runs that were pending under the former plan are read again. */
const PENDING_SECONDS = 300;
/** SQS's limit. */
const DELAY_SECONDS_MAX = 900;

export interface ExtendDeps extends Pick<Ambient, 'now'> {
  readonly retention: RetentionStore;
  readonly queue: WorkQueue;
}

/** One step, after a change of plan, of prolonging retained runs. A repeated step changes nothing. */
export async function extendRetention(deps: ExtendDeps, orgId: string): Promise<void> {
  const { retention, queue, now } = deps;
  const extension = await retention.find(orgId);
  if (extension === undefined) return;
  const askAgain = (delaySeconds: number) =>
    queue.send([{ kind: 'extend_retention', org_id: orgId }], Math.min(delaySeconds, DELAY_SECONDS_MAX));
  const unsettledMs = Date.parse(extension.dueAt) + REQUESTS_SETTLED_MS - now();
  if (unsettledMs > 0) return askAgain(Math.ceil(unsettledMs / 1_000));
  const next = await takeStep(deps, extension);
  if (next === undefined) return retention.finish(extension);
  if (await retention.advance(extension, next)) await askAgain(next === START ? PENDING_SECONDS : 0);
}

async function takeStep({ retention, now }: ExtendDeps, extension: Extension): Promise<Position | undefined> {
  const { orgId, position } = extension;
  const since = retainedSince(extension, now());
  const { retentionDays } = PLAN[extension.plan];
  const suites = await retention.suites(orgId, position, SUITES_PER_STEP);
  let { left } = position;
  let read = 0;
  for (const { at: suitePosition, suiteId, projectLives } of suites) {
    if (!projectLives) continue;
    const below = suitePosition === position.suite ? position.below : null;
    const runs = { orgId, suiteId, below, since, retentionDays };
    const extended = await retention.extendRuns(runs, RUNS_PER_STEP);
    left ||= extended.left;
    read += extended.read;
    if (extended.next !== null || read >= RUNS_PER_STEP)
      return { suite: suitePosition, below: extended.next, left };
  }
  const last = suites.at(-1);
  if (last !== undefined && suites.length >= SUITES_PER_STEP) return { suite: last.at, below: null, left };
  return left ? START : undefined;
}
