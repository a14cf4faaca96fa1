import { claimsOf } from '../../../files/config/jobToken.ts';
import type { Checks } from './checks.ts';

/** What a registration can name, and what a service looks at. */
const NAMES = [
  'repository',
  'ref',
  'environment',
  'workflow_ref',
  'job_workflow_ref',
  'event_name',
  'ref_protected',
];

/** GitHub makes the token in this moment. */
const CLOCK_SECONDS_MAX = 60;

/** What GitHub says of the job in its token, for comparison with the registration. The token itself is not printed. */
export function reportClaims(checks: Checks, token: string | undefined): void {
  const claims = token === undefined ? undefined : claimsOf(token);
  if (claims === undefined) return;
  const given = NAMES.filter((name) => claims[name] !== undefined && claims[name] !== '');
  checks.add('OIDC token', {
    status: 'note',
    message: given.map((name) => `${name} ${String(claims[name])}`).join(', '),
    hint: 'A registration names the same, or leaves it out: evalgate api GET /v1/trusted-issuers',
  });
  const seconds = Math.round(Number(claims.iat) - Date.now() / 1_000);
  if (!(Math.abs(seconds) > CLOCK_SECONDS_MAX)) return;
  checks.add('clock of the OIDC token', {
    status: 'change',
    message: `it differs from this machine's by ${Math.abs(seconds)} s`,
    hint: 'Set the clock of this machine, and that of the service: tokens are good for minutes.',
  });
}
