import { OUTPUTS_MAX } from '../../contracts/base/limits.ts';
import { type AppError, invalidField } from '../errors.ts';
import { LIMIT, limitRefusal } from '../limits.ts';
import type { Pushed } from './ports.ts';
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

export function requireFitting({ counts }: SuiteAfterPush): void {
  const outputs = counts.cases + counts.extraOutputs;
  if (outputs <= OUTPUTS_MAX) return;
  throw invalidField(
    'definition.cases',
    `would take ${outputs} outputs, and one run sends at most ${OUTPUTS_MAX}: let cases take fewer samples, or split the suite`,
  );
}

export function refusalOf(outcome: Exclude<Pushed, 'pushed' | 'changed'>): AppError {
  if (outcome === 'suites_limit') return limitRefusal('limit_reached', 'suites');
  if (outcome === 'scorers_limit') return limitRefusal('limit_reached', 'scorers');
  return invalidField(
    'definition.scorers',
    'changes more scorers that other suites use, too, than can change at one moment: push fewer of them at once, at most 80 with 3 MB together',
  );
}
