import { OUTPUTS_MAX } from '../../contracts/base/limits.ts';
import type { EvalCase } from '../../contracts/cases.ts';
import { invalidField } from '../errors.ts';
import type { StoredSuite, SuiteStore } from './ports.ts';

type Counted = Pick<EvalCase, 'is_active' | 'sample_count'>;

const outputsOf = (evalCase: Counted | undefined): number =>
  evalCase?.is_active ? evalCase.sample_count : 0;

/**
 * No request could send what a larger suite takes, so that it would abort for ever. Two writes at once may each fit
 * alone; where the counts are not known, a run names what is missing.
 */
export async function requireSendable(
  { suites }: { readonly suites: SuiteStore },
  orgId: string,
  { slug, project_id }: StoredSuite,
  { before, after }: { readonly before?: Counted; readonly after: Counted },
): Promise<void> {
  const more = outputsOf(after) - outputsOf(before);
  if (more <= 0) return;
  const head = await suites.head(orgId, slug, project_id);
  if (head?.counts === undefined) return;
  const wanted = head.counts.cases + head.counts.extraOutputs + more;
  if (wanted <= OUTPUTS_MAX) return;
  throw invalidField(
    'sample_count',
    `would make the suite take ${wanted} outputs, and one run sends at most ${OUTPUTS_MAX}: let its cases take fewer, or split the suite`,
  );
}
