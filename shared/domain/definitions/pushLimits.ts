import { OUTPUTS_MAX } from '../../contracts/base/limits.ts';
import { invalidField } from '../errors.ts';
import { LIMIT, limitRefusal } from '../limits.ts';
import type { SuiteAfterPush } from './suiteAfterPush.ts';

interface Keyed {
  readonly key: string;
}

/** The suite after the push, cases that the definition does not have included: counted before anything is compared. */
export function requireRoom(before: readonly Keyed[], sent: readonly Keyed[], prune: boolean): void {
  const keys = new Set([...sent, ...(prune ? [] : before)].map(({ key }) => key));
  const cases = keys.size;
  if (cases > LIMIT.cases) {
    throw invalidField(
      'definition.cases',
      `with those that the definition does not have, the suite would hold ${cases} cases, and it holds at most ${LIMIT.cases}: send prune, or split the suite`,
    );
  }
}

export function requireFitting({ after, scorers }: SuiteAfterPush, present: number): void {
  if (present + scorers.created.length - scorers.deleted.length > LIMIT.scorers) {
    throw limitRefusal('limit_reached', 'scorers');
  }
  const active = after.cases.filter(({ is_active }) => is_active);
  const outputs = active.reduce((sum, { sample_count }) => sum + sample_count, 0);
  if (outputs <= OUTPUTS_MAX) return;
  throw invalidField(
    'definition.cases',
    `would take ${outputs} outputs, and one run sends at most ${OUTPUTS_MAX}: let cases take fewer samples, or split the suite`,
  );
}
