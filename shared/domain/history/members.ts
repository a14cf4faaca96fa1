import type { ChangeEntry } from '../../contracts/history/history.ts';
import { documentDigest } from '../../scoring/digest/documents.ts';
import { type FieldChanges, isSame, shown } from '../changes/fields.ts';
import type { Member } from '../revisions/blocks.ts';
import type { Current } from '../revisions/current.ts';
import type { Differing } from '../revisions/difference.ts';
import type { CurrentProject, CurrentSuite } from '../suites/chains/chains.ts';
import type { CaseRow, CaseTexts, ScorerRow, ScorerTexts } from '../suites/chains/members.ts';
import { PLAIN_RULES } from '../suites/gates/rules.ts';

export type MemberChange = NonNullable<ChangeEntry['members']>['first'][number];

/** Before and after an edit. */
interface Sides<P> {
  readonly before: P;
  readonly after: P;
}

/** A member by its fields: what says whether one has changed, and how it is shown. */
interface View {
  readonly said: Readonly<Record<string, unknown>>;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Of a text that was dropped, and of which no row has a digest. */
const UNKNOWN = { sha256: null };
const NOTHING = documentDigest(null);

const CASE_FIELDS = [
  ...(['key', 'name', 'scorer_id', 'threshold', 'weight', 'is_active', 'tags', 'must_pass'] as const),
  ...(['advisory', 'sample_count', 'sample_pass_rate'] as const),
];

/** `isHidden`: whether its texts are hidden, because it is deleted by now. */
function caseView({ row }: Member<CaseRow>, texts: CaseTexts | undefined, isHidden: boolean): View {
  const rowFields = Object.fromEntries(CASE_FIELDS.map((name) => [name, row[name]]));
  const expected = row.expected_digest === NOTHING ? null : row.expected_digest;
  const known = (texts && { ...texts, examples: texts.examples ?? PLAIN_RULES.examples }) ?? {
    input: { sha256: row.input_digest },
    expected: expected && { sha256: expected },
    description: UNKNOWN,
    examples: UNKNOWN,
  };
  const show = (value: unknown) => (texts === undefined ? value : shown(value, isHidden));
  return {
    said: {
      ...rowFields,
      input: row.input_digest,
      expected,
      description: known.description,
      examples: known.examples,
    },
    shown: {
      ...shownFields(rowFields),
      input: show(known.input),
      expected: show(known.expected),
      description: show(known.description),
      examples: show(known.examples),
    },
  };
}

const SCORER_FIELDS = [
  ...(['key', 'name', 'type', 'dual_sided', 'precision_threshold', 'recall_threshold', 'owner'] as const),
];

function scorerView({ row }: Member<ScorerRow>, texts: ScorerTexts | undefined): View {
  const rowFields = Object.fromEntries(SCORER_FIELDS.map((name) => [name, row[name]]));
  const config = texts?.config ?? UNKNOWN;
  return {
    said: { ...rowFields, config },
    shown: { ...shownFields(rowFields), config: texts === undefined ? config : shown(config, false) },
  };
}

const shownFields = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(value, false)]));

/** Of a text that is unknown, only that its item is the same says that it has not changed. */
function viewChanges(before: View | undefined, after: View | undefined, isSameItem: boolean): FieldChanges {
  const names = Object.keys((after ?? before)?.said ?? {});
  const changed = names.filter((name) => {
    const [from, to] = [before?.said[name] ?? null, after?.said[name] ?? null];
    return from === UNKNOWN || to === UNKNOWN ? !isSameItem : !isSame(from, to);
  });
  return Object.fromEntries(
    changed.map((name) => [name, { from: before?.shown[name] ?? null, to: after?.shown[name] ?? null }]),
  );
}

type Named = { readonly id: string; readonly key: string; readonly name: string };

async function memberChanges<Row extends Named, Texts, Fields>(
  type: 'case' | 'scorer',
  { before, after }: Sides<Current<Row, Texts, Fields>>,
  members: readonly Differing<Row>[],
  viewOf: (member: Member<Row>, texts: Texts | undefined) => View,
): Promise<MemberChange[]> {
  const numbers = members.map(({ number }) => number);
  const [were, are] = await Promise.all([before.texts(numbers), after.texts(numbers)]);
  return members.map(({ number, before: was, after: is }) => {
    const { id = '', key = '', name = '' } = (is ?? was)?.row ?? {};
    const isSameItem = before.textsName(number) === after.textsName(number);
    return {
      action: was === undefined ? 'created' : is === undefined ? 'deleted' : 'updated',
      target: { type, id, key, name },
      changes: viewChanges(
        was && viewOf(was, were.get(number)),
        is && viewOf(is, are.get(number)),
        isSameItem,
      ),
    };
  });
}

/** `gone`: the numbers of those that are deleted by now. */
export const caseChanges = (
  sides: Sides<CurrentSuite>,
  cases: readonly Differing<CaseRow>[],
  gone: ReadonlySet<number>,
): Promise<MemberChange[]> =>
  memberChanges('case', sides, cases, (member, texts) => caseView(member, texts, gone.has(member.number)));

export const scorerChanges = (
  sides: Sides<CurrentProject>,
  scorers: readonly Differing<ScorerRow>[],
): Promise<MemberChange[]> => memberChanges('scorer', sides, scorers, scorerView);
