import { BoundedCache } from '../../caches/boundedCache.ts';
import { editedTooOften, isAt } from '../../revisions/position.ts';
import type { SuiteReader } from '../ports.ts';
import type { ResolvedSuite } from '../resolveSuite.ts';
import { type RevisionIds, revisionsName } from './chains.ts';

const TRIES_MAX = 5;
const KNOWN_MAX = 10_000;

export const revisionsOf = ({ head, project }: ResolvedSuite): RevisionIds => ({
  suite: head.position,
  project: project.position,
});

/**
 * Answers heads whose revisions were in force together. `read` reads the suite's head before its project's. 429 where
 * edits follow each other too quickly.
 */
export type AtOneMoment = (orgId: string, read: () => Promise<ResolvedSuite>) => Promise<ResolvedSuite>;

/**
 * A push moves both heads at once, perhaps between the two reads. No revision comes back, so that a suite's head that is
 * read again unchanged was in force when the project's was read; and a pair that was in force together is so still, where
 * both heads name it again.
 */
export function createAtOneMoment({ suites }: { readonly suites: Pick<SuiteReader, 'head'> }): AtOneMoment {
  const known = new BoundedCache<true>({ maxSize: KNOWN_MAX });

  async function wasInForce(orgId: string, { head }: ResolvedSuite): Promise<boolean> {
    const again = await suites.head(orgId, head.slug, head.projectId);
    return again?.suiteId === head.suiteId && isAt(again.position, head.position);
  }

  return async (orgId, read) => {
    for (let attempt = 0; attempt < TRIES_MAX; attempt++) {
      const heads = await read();
      const name = `${orgId} ${heads.head.suiteId} ${revisionsName(revisionsOf(heads))}`;
      const isKnown = known.get(name) ?? (await wasInForce(orgId, heads));
      if (!isKnown) continue;
      known.set(name, true);
      return heads;
    }
    throw editedTooOften();
  };
}
