import { hash } from 'node:crypto';
import { covers } from '../../contracts/base/scopes.ts';
import type { PushedDefinition, SentPush } from '../../contracts/definitionPushes.ts';
import { requireScope } from '../access.ts';
import { AppError, notFound } from '../errors.ts';
import type { Ambient } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { defaultRefAfter, isElsewhere, ownerAfter, requireMayWrite } from '../suites/access/writes.ts';
import type { Chains } from '../suites/chains/chains.ts';
import { editSuite } from '../suites/chains/edits.ts';
import { editedSuite } from '../suites/chains/memberEdits.ts';
import type { CheckModel, JudgeIdentity } from '../suites/digests/judgeIdentity.ts';
import { type CheckConfig, openConfigChecks } from '../suites/gates/configChecks.ts';
import { warnedOf } from '../suites/gates/warnings.ts';
import type { ProjectReader, SuiteStore } from '../suites/ports.ts';
import { isSlug } from '../suites/slugs.ts';
import type { ProjectHead, SuiteHead } from '../suites/stored.ts';
import { answerOf } from './answer.ts';
import { applyPush, PUSHED } from './applyPush.ts';
import { editsOf, headsNamed, type SuiteInProject, versionOf } from './completeSuite.ts';
import { currentSuite, isNewSuite, type SuiteState, suiteToPush, withFormer } from './currentSuite.ts';
import { normalizeDefinition } from './normalizeDefinition.ts';
import { planForScopeRun } from './plan/shortPlans.ts';
import { planPush } from './planPush.ts';
import { requireFitting, requireRoom } from './pushLimits.ts';
import { isNewerJob, lastPushOf, newestJobOf, requireAsStrict, requireVersion } from './pushRules.ts';

interface Deps extends Ambient {
  readonly projects: ProjectReader;
  readonly suites: SuiteStore;
  readonly chains: Chains;
  readonly judgeIdentity: JudgeIdentity;
  readonly checkModel: CheckModel;
}

const TRIES_MAX = 5;

/** Plans what a definition changes, and unless it is a dry run puts it in force as a whole. */
export async function pushDefinition(
  deps: Deps,
  principal: Principal,
  path: { readonly slug: string; readonly suiteSlug: string },
  sent: SentPush,
): Promise<PushedDefinition> {
  if (!isSlug(path.suiteSlug)) throw notFound('suite');
  const checkConfig = openConfigChecks(deps);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const heads = await headsNamed(deps, principal, path);
    requireScope(principal, sent.dry_run ? 'result' : 'suites');
    const target = { ...heads, slug: path.suiteSlug };
    const answer = await pushOnce({ ...deps, checkConfig }, principal, target, sent);
    if (answer !== 'changed') return covers(principal.scope, 'read') ? answer : planForScopeRun(answer);
  }
  throw new AppError(
    'VERSION_CONFLICT',
    'The suite was changed by others again and again while it was pushed: nothing of the push was applied. Try again.',
  );
}

interface Target {
  readonly project: ProjectHead;
  readonly head: SuiteHead | undefined;
  readonly slug: string;
}

async function pushOnce(
  deps: Deps & { readonly checkConfig: CheckConfig },
  principal: Principal,
  target: Target,
  sent: SentPush,
): Promise<PushedDefinition | 'changed'> {
  const stored = await suiteToPush(deps, principal, target);
  const sentDigest = hash('sha256', JSON.stringify([sent.definition, sent.prune]), 'hex');
  const same = await sameAgain(stored, sentDigest, deps);
  if (same) return recorded(deps, { principal, sent }, stored, same);
  const state = await stateForPush(deps, principal, stored, sent);
  const { before, present } = state;
  requireRoom(before.cases, sent.definition.cases, sent.prune);
  const normalized = await normalizeDefinition(sent.definition, {
    before,
    checkConfig: deps.checkConfig,
    nowMs: deps.now(),
  });
  const planned = await planPush(deps, principal, { state, sent: normalized, prune: sent.prune });
  requireFitting(planned, stored.scorers.count);
  const version = isNewSuite(stored) ? 0 : versionOf(stored);
  const mayRead = covers(principal.scope, 'read');
  const shownPlan = await answerOf({ ...deps, mayRead }, state, planned, version);
  if (!planned.plan.changes.some(({ action }) => action !== 'keep')) {
    return recorded(deps, { principal, sent }, stored, shownPlan);
  }
  requireVersion(sent.expected_definition_version, version);
  if (sent.dry_run) return shownPlan;
  const { scorers, plan, uses } = planned;
  const mayWeaken = sent.allow_weaker && plan.weaker.length > 0;
  await requireMayWrite(
    deps,
    principal,
    {
      project_id: present.suite.project_id,
      suite: present.suite,
      mayWeaken,
    },
    {
      // As they are: the push itself may give them an owner.
      changed: [...scorers.changed, ...scorers.deleted].flatMap(({ key }) => present.byKey.get(key) ?? []),
      suitesUsing: async (_, { id }) => uses.get(id) ?? [],
    },
  );
  if (!sent.allow_weaker) requireAsStrict(shownPlan, version);
  if (mayWeaken) principal.session?.requireReauthentication();
  return applyPush(deps, {
    editor: principal,
    state,
    planned,
    answer: shownPlan,
    sent: sentDigest,
    lastPush: lastPushOf(principal, sent.source, deps.now()),
    newestJob: newestJobOf(principal, present.suite),
    owner: ownerAfter(principal, present.suite),
    defaultRef: defaultRefAfter(principal, present.suite),
  });
}

async function stateForPush(
  deps: Deps,
  principal: Principal,
  stored: SuiteInProject,
  { definition }: SentPush,
): Promise<SuiteState> {
  const keys = Object.keys(definition.scorers);
  const state = await currentSuite(stored, keys);
  const isFirst = stored.suite.revision.lastNumber === 0 && definition.cases.length > 0;
  return isFirst ? withFormer(deps, principal, state, keys) : state;
}

/** A job that pushes what is there already is the newest one, of its owner, all the same, unless that has changed meanwhile. */
async function recorded(
  deps: Deps,
  { principal, sent }: { readonly principal: Principal; readonly sent: SentPush },
  { suite: { revision } }: SuiteInProject,
  answer: PushedDefinition,
): Promise<PushedDefinition | 'changed'> {
  const { suite } = revision.fields;
  if (sent.dry_run || !isNewerJob(principal, suite) || isElsewhere(principal, suite)) return answer;
  const last_push = lastPushOf(principal, sent.source, deps.now());
  const newest_job = newestJobOf(principal, suite);
  const owner = ownerAfter(principal, suite);
  const default_ref = defaultRefAfter(principal, suite);
  const after = { ...suite, last_push, newest_job, owner, default_ref };
  let isChanged = false;
  const recorded = await editSuite(deps, principal, suite, async (present) => {
    isChanged = present.revision.token !== revision.token;
    if (isChanged) return undefined;
    // It is no edit of the bar.
    return editedSuite(present, { act: PUSHED, isCounted: false, suite: after });
  });
  return isChanged || recorded === undefined ? 'changed' : answer;
}

/** Undefined unless the same push was the last one, and nothing has changed since. */
async function sameAgain(
  stored: SuiteInProject,
  sentDigest: string,
  { judgeIdentity, now }: Deps,
): Promise<PushedDefinition | undefined> {
  const { pushed, last_push } = stored.suite.revision.fields.suite;
  if (pushed === undefined || pushed.sent !== sentDigest || pushed.revision !== editsOf(stored))
    return undefined;
  if (pushed.judges !== judgeIdentity.version) return undefined;
  const kept = { kind: 'case', action: 'keep', fields: {}, effect: 'same', by_hand: false } as const;
  return {
    definition_version: versionOf(stored),
    definition_digest: pushed.definition_digest,
    suite_digest: { before: pushed.suite_digest, after: pushed.suite_digest },
    applied: false,
    changes: pushed.keeps.map((key) => ({ ...kept, key })),
    weaker: [],
    affects: [],
    warnings: (await warnedOf(stored.suite, async () => stored.scorers, now())).warnings ?? [],
    last_push: last_push ?? null,
  };
}
