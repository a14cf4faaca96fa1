import type { ResponseOf } from '../../../contracts/base/contract.ts';
import type { trySuite as contract } from '../../../contracts/results/suiteTrials.ts';
import { isJudged, judgeCases, readsMetadata, readsTrace } from '../../../scoring/engine/engine.ts';
import { invalidField } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import type { CaseRow, ScorerRow } from '../../suites/chains/members.ts';
import type { SuiteRevision } from '../../suites/chains/suiteRevision.ts';
import { type RevisionDeps, revisionInForce } from '../../suites/revisionInForce.ts';
import type { SuiteCache } from '../suiteCache.ts';

interface Deps extends RevisionDeps {
  readonly suiteCache: SuiteCache;
  readonly now: () => number;
}

type Trial = ResponseOf<typeof contract>['body']['data'];

/** An answer names each case. */
const CASES_MAX = 1_000;

/** As a run would score it, under the limits of a run. Nothing is stored or counted. */
export async function trySuite(
  deps: Deps,
  principal: Principal,
  suiteId: string,
  output: string | undefined,
): Promise<Trial> {
  const suiteRevision = await revisionInForce(deps, principal, suiteId, 'suites');
  const refusal = await refusalOf(suiteRevision);
  if (output === undefined) return { refusal, scores: [] };
  const suite = refusal === null ? await deps.suiteCache.get(suiteRevision) : undefined;
  if (suite === undefined) throw invalidField('output', refusal ?? TOO_LARGE);
  const sent = [{ output }];
  const judged = judgeCases({ ...suite, samples: suite.cases.map(() => sent) }, deps.now);
  const scores = judged.map(({ evalCase: { key, name, threshold }, result: { score, passed, reason } }) => ({
    case: key,
    case_name: name,
    score,
    threshold,
    passed,
    reason,
  }));
  return { refusal: null, scores };
}

const TOO_LARGE = 'is for a suite whose texts have at most 32 MB: a run judges this one';

interface Member {
  readonly row: CaseRow;
  readonly scorer: ScorerRow | undefined;
}

/** What a case needs beside one text, by what is said of it. */
const NEEDS: readonly (readonly [words: string, isNeeded: (member: Member) => boolean])[] = [
  ['ask a model, which only runs do', ({ scorer }) => scorer !== undefined && isJudged(scorer)],
  ['judge a trace', ({ scorer }) => readsTrace(scorer?.type ?? '')],
  ['judge metadata', ({ scorer }) => readsMetadata(scorer?.type ?? '')],
  ['take several outputs', ({ row }) => row.sample_count > 1],
  ['have a scorer that was deleted', ({ scorer }) => scorer === undefined],
];

/** Null: each active case can judge the same one output. */
async function refusalOf(suiteRevision: SuiteRevision): Promise<string | null> {
  const { active } = suiteRevision.sums;
  if (active === 0) return 'The suite has no active case.';
  if (active > CASES_MAX) return `The suite has more than ${CASES_MAX} active cases.`;
  const scorers = await suiteRevision.scorerRows();
  const members = (await suiteRevision.activeCases()).map(({ member: { row } }) => ({
    row,
    scorer: scorers.get(row.scorer_id)?.row,
  }));
  const questions = new Set(members.map(({ row }) => row.input_digest)).size;
  const needs = NEEDS.flatMap(([words, isNeeded]) => {
    const count = members.filter(isNeeded).length;
    return count === 0 ? [] : [`${count} of ${active} cases ${words}`];
  });
  const whys = [...(questions > 1 ? [`its cases ask ${questions} different questions`] : []), ...needs];
  return whys.length === 0 ? null : `One output does not fit the suite: ${whys.join('; ')}.`;
}
