import type { Notice } from '../../../contracts/runDetails.ts';
import { type CaseRules, isAdvisory } from '../../suites/gates/rules.ts';
import { DAY_MS } from '../../time.ts';

const NOTICED_BEFORE_MS = 7 * DAY_MS;
const NOTICES_MAX = 20;

type Advised = Pick<CaseRules, 'key' | 'advisory_until'> & { readonly id: string };

/** Cases that gate again within a week of the run. */
export function expiringAdvisories(cases: Iterable<Advised>, createdAtMs: number): Notice[] {
  const notices: Notice[] = [];
  for (const { id, key, advisory_until } of cases) {
    if (advisory_until === null || !isAdvisory({ advisory_until }, createdAtMs)) continue;
    if (Date.parse(advisory_until) - createdAtMs > NOTICED_BEFORE_MS) continue;
    if (notices.length === NOTICES_MAX) break;
    notices.push({
      code: 'ADVISORY_EXPIRING',
      message: `The case ${key} gates again from ${advisory_until} on.`,
      case_id: id,
      key,
      expires_at: advisory_until,
    });
  }
  return notices;
}
