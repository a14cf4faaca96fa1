import type { AnsweredDefinition } from '../../contracts/definitions.ts';
import { asSha256, documentDigest } from '../../scoring/digest/documents.ts';
import { requireScope } from '../access.ts';
import { invalidField, notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { Chains } from '../suites/chains/chains.ts';
import type { JudgeIdentity } from '../suites/digests/judgeIdentity.ts';
import { digestOf } from '../suites/digests/suiteDigester.ts';
import { rulesOf } from '../suites/gates/rules.ts';
import type { ProjectReader, SuiteReader } from '../suites/ports.ts';
import { completeSuite, headsNamed, suiteInProject, versionOf } from './completeSuite.ts';
import { DEFINITION_BYTES_MAX } from './limits.ts';
import type { CompleteSuite } from './ports.ts';
import { renderDefinition } from './render.ts';

interface Deps {
  readonly projects: ProjectReader;
  readonly suites: SuiteReader;
  readonly chains: Chains;
  readonly judgeIdentity: JudgeIdentity;
}

export async function readDefinition(
  deps: Deps,
  principal: Principal,
  path: { readonly slug: string; readonly suiteSlug: string },
): Promise<AnsweredDefinition> {
  const { project, head } = await headsNamed(deps, principal, path);
  if (head === undefined) throw notFound('suite');
  requireScope(principal, 'read');
  const stored = await suiteInProject(deps, principal, { project, head });
  const complete = await completeSuite(stored);
  if (complete === undefined) throw tooLarge();
  return answered(complete, versionOf(stored), deps);
}

const MEGABYTES_MAX = DEFINITION_BYTES_MAX / 1_048_576;

export const tooLarge = () =>
  invalidField(
    'suite',
    `has more than ${MEGABYTES_MAX} MB of cases, which is the most that is answered as one document: read its cases page by page, or split the suite`,
  );

function answered(complete: CompleteSuite, version: number, { judgeIdentity }: Deps): AnsweredDefinition {
  const definition = renderDefinition(complete);
  return {
    definition_version: version,
    definition_digest: asSha256(documentDigest(definition)),
    suite_digest: suiteDigestOf(complete, judgeIdentity),
    last_push: complete.suite.last_push ?? null,
    definition,
  };
}

export function suiteDigestOf({ suite, scorers, cases }: CompleteSuite, judgeIdentity: JudgeIdentity) {
  const active = cases
    .filter(({ is_active }) => is_active)
    .map((evalCase) => ({
      ...evalCase,
      ...rulesOf(evalCase),
      scorer: scorers.get(evalCase.scorer_id) ?? null,
    }));
  const settings = { passThreshold: suite.pass_threshold, gates: suite.gates };
  return digestOf({ ...settings, cases: active }, judgeIdentity);
}
