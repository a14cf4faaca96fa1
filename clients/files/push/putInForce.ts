import { isSameJson } from '../read/sameJson.ts';

interface Change {
  readonly kind: string;
  readonly key: string;
  readonly action: string;
}

interface Answer {
  readonly definition_version: number;
  readonly applied: boolean;
  readonly changes: readonly Change[];
  readonly weaker: readonly Change[];
}

interface Options {
  readonly dry_run?: boolean;
  readonly allow_weaker?: boolean;
  readonly expected_definition_version?: number;
}

export interface Pushing<A extends Answer> {
  /** The plan that was shown and accepted. */
  readonly shown: A;
  /** Whether nothing was pushed since. */
  readonly isFresh: boolean;
  readonly put: (options: Options) => Promise<A>;
}

const isSilent = ({ changes }: Answer): boolean => changes.every(({ action }) => action === 'keep');

/** Pushes what was shown, and nothing else. Undefined where the suite was changed since: nothing was pushed then. */
export async function putInForce<A extends Answer>({
  shown,
  isFresh,
  put,
}: Pushing<A>): Promise<A | undefined> {
  // A push before this one may have changed scorers that both use: what is left is a part of what was shown.
  const now = isFresh ? shown : await put({ dry_run: true });
  if (!isPartOf(now.changes, shown.changes)) return undefined;
  try {
    return await put({
      allow_weaker: shown.weaker.length > 0,
      expected_definition_version: now.definition_version,
    });
  } catch (error) {
    const { code, isUnsure } = error as { readonly code?: string; readonly isUnsure?: boolean };
    if (code !== 'VERSION_CONFLICT') throw error;
    // Of a try before, whose answer got lost.
    const after = isUnsure ? await put({ dry_run: true }) : undefined;
    return after !== undefined && isSilent(after) ? { ...after, applied: true } : undefined;
  }
}

const LEFT_OUT = { effect: '', by_hand: false };

/** What a change makes of the bar depends on the other changes, and who wrote what on the last push. */
function isPartOf(changes: readonly Change[], shown: readonly Change[]): boolean {
  const nameOf = ({ kind, key }: Change): string => JSON.stringify([kind, key]);
  const known = new Map(shown.map((change) => [nameOf(change), change]));
  return changes.every((change) => {
    const other = known.get(nameOf(change));
    return other !== undefined && isSameJson({ ...change, ...LEFT_OUT }, { ...other, ...LEFT_OUT });
  });
}
