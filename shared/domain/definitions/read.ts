import type { AnsweredDefinition } from '../../contracts/definitions.ts';
import { asSha256, documentDigest } from '../../scoring/digest/documents.ts';
import { liveSuiteBySlug } from '../access.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { type ResolvedSuite, revisionOf } from '../runs/resolveSuite.ts';
import type { JudgeIdentity, ProjectStore, SuiteStore } from '../suites/ports.ts';
import { headsOf } from '../suites/revision.ts';
import { rulesOf } from '../suites/rules.ts';
import { digestOf } from '../suites/suiteDigest.ts';
import { DEFINITION_BYTES_MAX } from './limits.ts';
import type { DefinitionStore, WholeSuite } from './ports.ts';
import { renderDefinition } from './render.ts';

interface Deps {
  readonly projects: ProjectStore;
  readonly suites: SuiteStore;
  readonly definitions: DefinitionStore;
  readonly judgeIdentity: JudgeIdentity;
}

const LOADS_MAX = 5;

/** Both counters only grow, so that their sum says which state of the suite was read. */
const versionOf = ({ head, project }: ResolvedSuite): number => head.revision + project.scorersRevision;

export async function readDefinition(
  deps: Deps,
  principal: Principal,
  path: { readonly slug: string; readonly suiteSlug: string },
): Promise<AnsweredDefinition> {
  for (let load = 1; ; load++) {
    const suite = await liveSuiteBySlug(deps, principal, path);
    const before = await headsOf(deps, principal, suite);
    const whole = await deps.definitions.read(principal.orgId, suite.id);
    if (whole === undefined) throw notFound('suite');
    if (whole === 'too_large') throw tooLarge();
    const isSame = revisionOf(await headsOf(deps, principal, suite)) === revisionOf(before);
    // Under constant editing, each case as it was when it was read, with a version that has passed already.
    if (isSame || load === LOADS_MAX) return answered(whole, before, deps);
  }
}

const MEGABYTES_MAX = DEFINITION_BYTES_MAX / 1_048_576;

const tooLarge = () =>
  invalidField(
    'suite',
    `has more than ${MEGABYTES_MAX} MB of cases, which is the most that is answered as one document: read its cases page by page, or split the suite`,
  );

function answered(whole: WholeSuite, at: ResolvedSuite, { judgeIdentity }: Deps): AnsweredDefinition {
  const definition = renderDefinition(whole);
  return {
    version: versionOf(at),
    definition_digest: asSha256(documentDigest(definition)),
    suite_digest: suiteDigestOf(whole, judgeIdentity),
    last_push: null,
    definition,
  };
}

function suiteDigestOf({ suite, scorers, cases }: WholeSuite, judgeIdentity: JudgeIdentity) {
  const active = cases
    .filter(({ is_active }) => is_active)
    .map((evalCase) => ({
      ...evalCase,
      ...rulesOf(evalCase),
      scorer: scorers.get(evalCase.scorer_id) ?? null,
    }));
  const bar = { passThreshold: suite.pass_threshold, gates: suite.gates };
  return digestOf({ ...bar, cases: active }, judgeIdentity);
}
