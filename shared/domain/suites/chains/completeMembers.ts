import type { EvalCase } from '../../../contracts/cases.ts';
import type { Member } from '../../revisions/blocks.ts';
import type { Current, Ordered } from '../../revisions/current.ts';
import type { StoredScorer } from '../stored.ts';
import type { CurrentProject, CurrentSuite } from './chains.ts';
import { type CaseRow, type CaseTexts, caseOf, type ScorerRow, scorerOf } from './members.ts';

/** The member with this key, if there is one. Reads all rows. */
export async function withKey<Row extends { readonly key: string }, Texts, Fields>(
  present: Current<Row, Texts, Fields>,
  key: string,
): Promise<Ordered<Row>[]> {
  const member = (await present.members()).find(({ row }) => row.key === key);
  return member === undefined ? [] : [{ member, position: await present.position(member.number) }];
}

/** The cases at these places of the order, whole. What was dropped of their texts is null. */
export async function completeCases(
  present: CurrentSuite,
  some: readonly Ordered<CaseRow>[],
): Promise<EvalCase[]> {
  const texts = await present.texts(some.map(({ member }) => member.number));
  const { id: suite_id } = present.revision.fields.suite;
  return some.map(({ member: { number, row }, position }) =>
    caseOf(row, texts.get(number) ?? NO_TEXTS, { suite_id, sort_order: position }),
  );
}

const NO_TEXTS: CaseTexts = { description: null, input: {}, expected: null };

export async function completeScorers(
  present: CurrentProject,
  members: readonly Member<ScorerRow>[],
  project: { readonly id: string; readonly slug: string },
): Promise<StoredScorer[]> {
  const texts = await present.texts(members.map(({ number }) => number));
  const place = { project_id: project.id, project_slug: project.slug };
  return members.map(({ number, row }) => scorerOf(row, texts.get(number) ?? { config: {} }, place));
}
