import type { Principal } from '../principal.ts';
import type { ProjectHead, ProjectStore, StoredSuite, SuiteStore } from '../suites/ports.ts';
import type { ResolvedSuite } from '../suites/resolveSuite.ts';
import { timestamp } from '../time.ts';
import { definitionOf } from './meaning.ts';
import type { WholeDefinition } from './plan/types.ts';
import type { DefinitionStore, WholeSuite } from './ports.ts';
import { tooLarge } from './read.ts';
import type { Present } from './suiteAfterPush.ts';
import { wholeSuite } from './wholeSuite.ts';

interface Deps {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly definitions: DefinitionStore;
  readonly now: () => number;
  readonly newId: () => string;
}

export interface Found {
  readonly present: Present;
  /** What it says, with all of these scorers. */
  readonly before: WholeDefinition;
  /** Undefined for a suite that there is not. */
  readonly at: ResolvedSuite | undefined;
}

/** The suite as it is, with those scorers of its project that a definition names. */
export async function presentSuite(
  deps: Deps,
  principal: Principal,
  {
    suite,
    empty,
    keys,
  }: {
    readonly suite: StoredSuite | undefined;
    readonly empty: StoredSuite;
    readonly keys: readonly string[];
  },
): Promise<Found> {
  const { orgId } = principal;
  const found = suite && (await wholeSuite(deps, principal, suite));
  if (found?.whole === 'too_large') throw tooLarge();
  const whole = found?.whole ?? nothing(empty);
  const project = { id: empty.project_id, slug: empty.project_slug };
  const named = await deps.definitions.scorersByKey(orgId, project, keys);
  const byKey = new Map([...whole.scorers.values(), ...named.scorers].map((scorer) => [scorer.key, scorer]));
  const versions = new Map([...whole.versions, ...named.versions]);
  const known = new Map([...byKey.values()].map((scorer) => [scorer.id, scorer]));
  const before = definitionOf({ ...whole, scorers: known });
  return { present: { ...whole, byKey, versions }, before, at: found?.at };
}

const nothing = (suite: StoredSuite): WholeSuite => ({
  suite,
  scorers: new Map(),
  cases: [],
  versions: new Map(),
  large: new Set(),
});

/** A suite that a push is to make. */
export function emptySuite(
  { now, newId }: Pick<Deps, 'now' | 'newId'>,
  project: ProjectHead,
  slug: string,
): StoredSuite {
  const at = timestamp(now());
  return {
    ...{
      id: newId(),
      project_id: project.id,
      project_slug: project.slug,
      slug,
      name: slug,
      description: null,
    },
    ...{ pass_threshold: 1, gates: {}, keep_outputs: 'failed', show_expected: false },
    ...{ created_at: at, updated_at: at },
  };
}
