import type { PushedDefinition } from '../../contracts/definitionPushes.ts';
import type { LastPush } from '../../contracts/history/lastPush.ts';
import { equalJson } from '../../scoring/compare/equality.ts';
import { limitRefusal } from '../limits.ts';
import type { Editor } from '../principal.ts';
import { numberIn } from '../revisions/ids.ts';
import type { Chains } from '../suites/chains/chains.ts';
import { type CaseEdit, editedProject, editedSuite, type ScorerEdit } from '../suites/chains/memberEdits.ts';
import { requestedCase, requestedScorer } from '../suites/chains/members.ts';
import { putRevisions } from '../suites/chains/putRevisions.ts';
import type { JudgeIdentity } from '../suites/digests/judgeIdentity.ts';
import type { SuiteStore } from '../suites/ports.ts';
import type { PushedSuite } from '../suites/pushed.ts';
import type { StoredScorer } from '../suites/stored.ts';
import type { SuiteState } from './currentSuite.ts';
import type { PlannedPush } from './planPush.ts';
import type { CompleteCase, Writes } from './ports.ts';
import { suiteDigestOf } from './read.ts';

interface Deps {
  readonly suites: SuiteStore;
  readonly chains: Chains;
  readonly judgeIdentity: JudgeIdentity;
  readonly now: () => number;
}

interface Applying {
  readonly editor: Editor;
  readonly state: SuiteState;
  readonly planned: PlannedPush;
  readonly answer: PushedDefinition;
  readonly lastPush: LastPush;
  readonly newestJob: string | undefined;
  readonly owner: PushedSuite['owner'];
  readonly defaultRef: PushedSuite['default_ref'];
  /** SHA-256 of what was sent. */
  readonly sent: string;
}

export const PUSHED = { action: 'pushed', target: { type: 'suite' } } as const;

/** Puts a planned push in force. `changed`: something has changed since it was planned, and nothing was applied. */
export async function applyPush(deps: Deps, applying: Applying): Promise<PushedDefinition | 'changed'> {
  const { editor, state, planned, answer } = applying;
  const { stored } = state;
  const suite_digest = suiteDigestOf(planned.after, deps.judgeIdentity);
  const scorers = await scorerEdits(state, planned.scorers);
  const edits = [
    stored.suite.revision.fields.suite.version + 1,
    stored.scorers.revision.fields.edits + Math.min(1, scorers.length),
  ];
  const suite = {
    ...planned.after.suite,
    owner: applying.owner,
    default_ref: applying.defaultRef,
    last_push: applying.lastPush,
    newest_job: applying.newestJob,
    pushed: {
      revision: edits.join('.'),
      sent: applying.sent,
      definition_digest: answer.definition_digest,
      suite_digest,
      judges: deps.judgeIdentity.version,
      keeps: planned.plan.changes.filter(({ action }) => action === 'keep').map(({ key }) => key),
    },
  };
  const outcome = await putRevisions(deps, editor, {
    suite,
    present: stored.suite,
    edited: await editedSuite(stored.suite, {
      act: PUSHED,
      suite,
      cases: await caseEdits(state, planned.cases),
      order: planned.after.cases.map(({ id }) => numberOf(id)),
    }),
    project: stored.project,
    scorers:
      scorers.length === 0
        ? 'unchanged'
        : { present: stored.scorers, edited: editedProject(stored.scorers, PUSHED, scorers) },
  });
  if (outcome === 'limit_reached') throw limitRefusal(outcome, 'suites');
  if (typeof outcome === 'string') return 'changed';
  return {
    ...answer,
    definition_version: edits.reduce((sum, one) => sum + one, 0),
    suite_digest: { ...answer.suite_digest, after: suite_digest },
    applied: true,
  };
}

const numberOf = (id: string): number => numberIn(id) ?? 0;

const byNumber = <M extends { readonly number: number }>(members: readonly M[]): ReadonlyMap<number, M> =>
  new Map(members.map((member) => [member.number, member]));

async function caseEdits(
  { stored, present }: SuiteState,
  { created, changed, deleted }: Writes<CompleteCase>,
): Promise<CaseEdit[]> {
  const members = byNumber(await stored.suite.members());
  const before = new Map(present.cases.map((one) => [one.id, one]));
  const edit = (evalCase: CompleteCase, after: CaseEdit['after']): CaseEdit => {
    const number = numberOf(evalCase.id);
    return { number, before: members.get(number), after };
  };
  return [
    ...created.map((one) => edit(one, requestedCase(one))),
    ...changed.map((evalCase) => {
      const { row, texts } = requestedCase(evalCase);
      return edit(evalCase, isSameText(before.get(evalCase.id), evalCase) ? { row } : { row, texts });
    }),
    ...deleted.map((one) => edit(one, null)),
  ];
}

const isSameText = (before: CompleteCase | undefined, after: CompleteCase): boolean =>
  before?.description === after.description &&
  equalJson(before.examples, after.examples) &&
  before.input_digest === after.input_digest &&
  before.expected_digest === after.expected_digest;

async function scorerEdits(
  { stored }: SuiteState,
  { created, changed, deleted }: Writes<StoredScorer>,
): Promise<ScorerEdit[]> {
  const members = byNumber(await stored.scorers.members());
  const edit = (scorer: StoredScorer, after: ScorerEdit['after']): ScorerEdit => {
    const number = numberOf(scorer.id);
    return { number, before: members.get(number), after };
  };
  return [
    ...[...created, ...changed].map((scorer) => edit(scorer, requestedScorer(scorer))),
    ...deleted.map((one) => edit(one, null)),
  ];
}
