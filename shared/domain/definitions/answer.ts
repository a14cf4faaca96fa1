import type { PushedDefinition } from '../../contracts/definitionPushes.ts';
import { asSha256, documentDigest } from '../../scoring/digest/documents.ts';
import type { JudgeIdentity } from '../suites/digests/judgeIdentity.ts';
import { isNewSuite, type SuiteState } from './currentSuite.ts';
import { changedOutsidePush } from './plan/changedOutsidePush.ts';
import { withoutDocuments } from './plan/shortPlans.ts';
import type { Change } from './plan/types.ts';
import type { PlannedPush } from './planPush.ts';
import { suiteDigestOf } from './read.ts';
import { renderDefinition } from './render.ts';
import { warningsAfter } from './warningsAfter.ts';

interface Deps {
  readonly judgeIdentity: JudgeIdentity;
  readonly now: () => number;
  /** Whether the credential may read the bar. */
  readonly mayRead: boolean;
}

/** To a push that is planned and not applied. */
export async function answerOf(
  { judgeIdentity, now, mayRead }: Deps,
  { present, stored, former }: SuiteState,
  planned: PlannedPush,
  version: number,
): Promise<PushedDefinition> {
  const { plan, after, cases } = planned;
  const before = isNewSuite(stored) ? null : suiteDigestOf(present, judgeIdentity);
  const isOutsidePush = changedOutsidePush(present);
  const answered = (change: Change) => {
    const shown = { ...change, by_hand: isOutsidePush(change) };
    // Texts of what is deleted are never shown.
    return former === undefined ? shown : withoutDocuments(shown);
  };
  return {
    definition_version: version,
    definition_digest: asSha256(documentDigest(renderDefinition(after))),
    // Ids of new cases are part of it.
    suite_digest: { before, after: cases.created.length > 0 ? null : suiteDigestOf(after, judgeIdentity) },
    applied: false,
    changes: plan.changes.map(answered),
    weaker: plan.weaker.map(answered),
    affects: plan.affects.map(({ suite, scorers }) => ({ suite, scorers: [...scorers] })),
    warnings: await warningsAfter(planned, { mayRead, nowMs: now() }),
    last_push: present.suite.last_push ?? null,
    ...(former && { replaces: { suite_id: former.deleted.head.suiteId, deleted_at: former.deleted.at } }),
  };
}
