import type { BarWarning } from '../../contracts/gates.ts';
import { barFindings } from '../../scoring/probes/barWarnings.ts';
import { invalidField } from '../errors.ts';
import { SCORED_BYTES_MAX } from '../limits.ts';
import type { Principal } from '../principal.ts';
import { isAdvisory } from '../suites/gates/rules.ts';
import { type RevisionDeps, revisionInForce } from '../suites/revisionInForce.ts';
import type { SuiteCache } from './suiteCache.ts';

interface Deps extends RevisionDeps {
  readonly suiteCache: SuiteCache;
  readonly now: () => number;
}

const CASES_MAX = 2_000;

/** What is wrong with the bar of the suite in force. Nothing is stored. 400 for a suite that is too large to be probed. */
export async function suiteWarnings(
  deps: Deps,
  principal: Principal,
  suiteId: string,
): Promise<BarWarning[]> {
  const nowMs = deps.now();
  const suiteRevision = await revisionInForce(deps, principal, suiteId, 'read');
  if (suiteRevision.sums.active > CASES_MAX || (await suiteRevision.textBytes()) > SCORED_BYTES_MAX) {
    const limits = `${CASES_MAX.toLocaleString('en-US')} active cases with 32 MB of texts`;
    throw invalidField(
      'suiteId',
      `is of a suite of more than ${limits}: evalgate validate reads a larger one`,
    );
  }
  // Of a suite that models judge, no run keeps one.
  const { cases } = (await deps.suiteCache.get(suiteRevision)) ?? { cases: await suiteRevision.cases() };
  return barFindings(cases, suiteRevision.settings, (evalCase) => isAdvisory(evalCase, nowMs));
}
