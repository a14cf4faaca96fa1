import type { Change } from './types.ts';

interface Written {
  readonly updated_at: string;
}

/** A suite as it is stored. */
interface Stored {
  readonly suite: Written & { readonly last_push?: { readonly at: string } | undefined };
  /** By their keys. */
  readonly byKey: ReadonlyMap<string, Written & { readonly pushed_at?: string | undefined }>;
  readonly cases: readonly (Written & { readonly key: string })[];
}

/**
 * Whether what a change is of was written since the suite's last push by something that is no push. Nothing of a suite
 * that was never pushed. What is new was not written, and who ordered the cases is not known.
 */
export function changedOutsidePush({ suite, byKey, cases }: Stored): (change: Change) => boolean {
  const pushedAt = suite.last_push?.at;
  if (pushedAt === undefined) return () => false;
  const isLater = ({ updated_at }: Written): boolean => updated_at > pushedAt;
  const ofCases = new Set(cases.filter(isLater).map(({ key }) => key));
  // Pushes of other suites write scorers, too.
  const scorers = [...byKey].filter(([, one]) => isLater(one) && one.updated_at !== one.pushed_at);
  const ofScorers = new Set(scorers.map(([key]) => key));
  return ({ kind, key, action, fields }) => {
    if (action === 'create') return false;
    if (kind === 'suite') return isLater(suite) && Object.keys(fields).some((name) => name !== 'case_order');
    return (kind === 'scorer' ? ofScorers : ofCases).has(key);
  };
}
