import type { PushedDefinition } from '../../contracts/definitionPushes.ts';
import type { LastPush } from '../../contracts/definitions.ts';
import type { JudgeIdentity } from '../suites/bar/judgeIdentity.ts';
import type { PackStore } from '../suites/packs/packedSuites.ts';
import type { ProjectHead } from '../suites/ports.ts';
import type { PushedSuite } from '../suites/pushed.ts';
import { timestamp } from '../time.ts';
import { packPushed } from './packPushed.ts';
import type { PlannedPush } from './planPush.ts';
import type { DefinitionStore, SuitePush } from './ports.ts';
import type { Found } from './presentSuite.ts';
import { refusalOf } from './pushLimits.ts';
import { suiteDigestOf } from './read.ts';

interface Deps {
  readonly definitions: DefinitionStore;
  readonly packs: Pick<PackStore, 'saveChunk'>;
  readonly judgeIdentity: JudgeIdentity;
  readonly now: () => number;
  readonly newId: () => string;
}

interface Applying {
  readonly orgId: string;
  readonly project: ProjectHead;
  readonly found: Found;
  readonly planned: PlannedPush;
  readonly answer: PushedDefinition;
  readonly lastPush: LastPush;
  readonly newestJob: string | undefined;
  readonly owner: PushedSuite['owner'];
  /** SHA-256 of what was sent. */
  readonly sent: string;
}

/** Puts a planned push in force. `changed`: something has changed since it was planned, and nothing was applied. */
export async function applyPush(deps: Deps, applying: Applying): Promise<PushedDefinition | 'changed'> {
  const { orgId, project, found, planned, answer } = applying;
  const nowMs = deps.now();
  const id = deps.newId();
  const { made, changed, deleted } = planned.scorers;
  const scorersRevision =
    project.scorersRevision + (made.length + changed.length + deleted.length > 0 ? 1 : 0);
  const revision = (found.at?.head.revision ?? 0) + 1;
  const suiteDigest = suiteDigestOf(planned.after, deps.judgeIdentity);
  const place = {
    orgId,
    revision: `${revision}.${scorersRevision}`,
    planner: id,
    startedAtMs: nowMs,
    suiteDigest,
  };
  const push: SuitePush = {
    ...planned,
    id,
    at: timestamp(nowMs),
    before: {
      ...found.present,
      ...{ head: found.at?.head, project, newestJob: found.present.suite.newest_job },
    },
    suite: {
      ...planned.after.suite,
      owner: applying.owner,
      last_push: applying.lastPush,
      newest_job: applying.newestJob,
      pushed: {
        revision: place.revision,
        sent: applying.sent,
        definition_digest: answer.definition_digest,
        suite_digest: suiteDigest,
        judges: deps.judgeIdentity.version,
        keeps: planned.plan.changes.filter(({ action }) => action === 'keep').map(({ key }) => key),
      },
    },
    pack: await packPushed(deps, planned.after, place),
    caseIds: planned.after.cases.map((one) => one.id),
  };
  const outcome = await deps.definitions.push(orgId, push);
  if (outcome === 'changed') return outcome;
  if (outcome !== 'pushed') throw refusalOf(outcome);
  return {
    ...answer,
    version: revision + scorersRevision,
    suite_digest: { ...answer.suite_digest, after: suiteDigest },
    applied: true,
  };
}
