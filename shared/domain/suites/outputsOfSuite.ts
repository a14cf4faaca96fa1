import { OUTPUTS_MAX } from '../../contracts/base/limits.ts';
import type { EvalCase } from '../../contracts/cases.ts';
import { invalidField } from '../errors.ts';
import type { SuiteSums } from './chains/members.ts';

type Counted = Pick<EvalCase, 'is_active' | 'sample_count'>;

const outputsOf = (evalCase: Counted | undefined): number =>
  evalCase?.is_active ? evalCase.sample_count : 0;

/** No request could send what a larger suite takes, so that it would abort for ever. */
export function requireSendable(
  { outputs }: SuiteSums,
  { before, after }: { readonly before?: Counted; readonly after: Counted },
): void {
  const more = outputsOf(after) - outputsOf(before);
  const outputsAfter = outputs + more;
  if (more <= 0 || outputsAfter <= OUTPUTS_MAX) return;
  throw invalidField(
    'sample_count',
    `would make the suite take ${outputsAfter} outputs, and one run sends at most ${OUTPUTS_MAX}: let its cases take fewer, or split the suite`,
  );
}
