import { documentDigest } from '../../scoring/digest/documents.ts';
import type { PushedScorer } from '../suites/pushed.ts';
import type { StoredScorer } from '../suites/stored.ts';
import { timestamp } from '../time.ts';
import type { Change, CompleteDefinition, Plan } from './plan/types.ts';
import type { CompleteCase, CompleteSuite, Writes } from './ports.ts';

/** The suite as it is, with further scorers of its project. */
export interface Current extends CompleteSuite {
  readonly byKey: ReadonlyMap<string, StoredScorer>;
}

interface Params {
  readonly prune: boolean;
  /** Keys of scorers that no case uses any more. */
  readonly unused: ReadonlySet<string>;
  /** After the push. */
  readonly ownerOf: (scorer: PushedScorer) => PushedScorer['owner'];
  readonly nowMs: number;
  readonly newCaseId: () => string;
  readonly newScorerId: () => string;
}

export interface SuiteAfterPush {
  readonly after: CompleteSuite;
  readonly scorers: Writes<StoredScorer>;
  readonly cases: Writes<CompleteCase>;
}

/** The suite after a plan: only what the plan lists is written. */
export function suiteAfterPush(
  present: Current,
  sent: CompleteDefinition,
  plan: Plan,
  params: Params,
): SuiteAfterPush {
  const scorers = scorersAfter(present, sent, plan, params);
  const cases = casesAfter(present, sent, plan, { ...params, byKey: scorers.byKey });
  const used = new Set(cases.all.map(({ scorer_id }) => scorer_id));
  const all = new Map([...scorers.byKey.values(), ...present.scorers.values()].map((one) => [one.id, one]));
  const after = new Map([...all].filter(([id]) => used.has(id)));
  for (const scorer of scorers.writes.changed) if (used.has(scorer.id)) after.set(scorer.id, scorer);
  const suite = isChanged(plan, 'suite', present.suite.slug)
    ? { ...present.suite, ...sent.suite, updated_at: timestamp(params.nowMs) }
    : present.suite;
  return {
    after: { ...present, suite, scorers: after, cases: cases.all },
    scorers: scorers.writes,
    cases: cases.writes,
  };
}

const keysOf = ({ changes }: Plan, kind: Change['kind'], action: Change['action']): Set<string> =>
  new Set(changes.filter((one) => one.kind === kind && one.action === action).map(({ key }) => key));

const isChanged = (plan: Plan, kind: Change['kind'], key: string): boolean =>
  keysOf(plan, kind, 'update').has(key);

function scorersAfter(present: Current, sent: CompleteDefinition, plan: Plan, params: Params) {
  const { nowMs, newScorerId, ownerOf, unused } = params;
  const pushedAt = timestamp(nowMs);
  const written = { updated_at: pushedAt, pushed_at: pushedAt };
  const changing = keysOf(plan, 'scorer', 'update');
  const byKey = new Map(present.byKey);
  const created: StoredScorer[] = [];
  const changed: StoredScorer[] = [];
  for (const [key, fields] of sent.scorers) {
    const known = present.byKey.get(key);
    if (known === undefined) {
      const { project_id, project_slug } = present.suite;
      const place = {
        id: newScorerId(),
        project_id,
        project_slug,
        made_by_push: true,
        owner: ownerOf({}),
        version: 1,
      };
      created.push({ ...fields, ...place, created_at: pushedAt, ...written });
    } else if (changing.has(key)) {
      changed.push({ ...known, ...fields, owner: ownerOf(known), version: known.version + 1, ...written });
    }
  }
  for (const scorer of [...created, ...changed]) byKey.set(scorer.key, scorer);
  const deleted = [...present.byKey.values()].filter(({ key }) => unused.has(key));
  return { byKey, writes: { created, changed, deleted } };
}

interface CaseParams extends Params {
  readonly byKey: ReadonlyMap<string, StoredScorer>;
}

function casesAfter(present: Current, sent: CompleteDefinition, plan: Plan, params: CaseParams) {
  const known = new Map(present.cases.map((one) => [one.key, one]));
  const changing = keysOf(plan, 'case', 'update');
  const pushedAt = timestamp(params.nowMs);
  const created: CompleteSuite['cases'][number][] = [];
  const changed: CompleteSuite['cases'][number][] = [];
  const pushedCases = sent.cases.map(({ scorer, ...fields }) => {
    const before = known.get(fields.key);
    const isChanging = changing.has(fields.key);
    if (before !== undefined && !isChanging) return before;
    const scorer_id = params.byKey.get(scorer ?? '')?.id ?? '';
    const documents = {
      input_digest: documentDigest(fields.input),
      expected_digest: documentDigest(fields.expected),
    };
    if (before !== undefined) {
      const after = { ...before, ...fields, ...documents, scorer_id, updated_at: pushedAt };
      changed.push(after);
      return after;
    }
    const place = { id: params.newCaseId(), suite_id: present.suite.id, sort_order: 0 };
    const evalCase = {
      ...fields,
      ...documents,
      ...place,
      scorer_id,
      created_at: pushedAt,
      updated_at: pushedAt,
    };
    created.push(evalCase);
    return evalCase;
  });
  const keys = new Set(sent.cases.map(({ key }) => key));
  const unnamedCases = present.cases.filter(({ key }) => !keys.has(key));
  const all = [...pushedCases, ...(params.prune ? [] : unnamedCases)].map((evalCase, sort_order) => ({
    ...evalCase,
    sort_order,
  }));
  return {
    all,
    writes: { created, changed, deleted: params.prune ? unnamedCases : [] },
  };
}
