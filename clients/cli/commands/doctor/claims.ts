import { claimsOf, type JobClaims } from '../../../files/config/jobToken.ts';
import type { IdToken } from '../../idToken.ts';
import { type Io, nowMs } from '../../io.ts';
import type { Checks } from './checks.ts';

/** What a registration can name, and what a service looks at. Any other claim is not printed. */
const GITHUB_CLAIMS = [
  'repository',
  'ref',
  'environment',
  'workflow_ref',
  'job_workflow_ref',
  'event_name',
  'ref_protected',
];
const CIRCLE = 'oidc.circleci.com/';
const CI_CLAIMS = [
  'iss',
  'aud',
  'sub',
  'project_id',
  'job_project_id',
  'namespace_id',
  'ref_path',
  'ref_type',
  'ref_protected',
  'pipeline_source',
  'ci_config_ref_uri',
  'pipeline_id',
  'build_branch',
  'build_source',
  `${CIRCLE}project-id`,
  `${CIRCLE}vcs-ref`,
  `${CIRCLE}ssh-rerun`,
];
const VALUE_CHARACTERS_MAX = 255;

/** GitHub makes the token in this moment. */
const CLOCK_SECONDS_MAX = 60;
const TRUSTED = 'A registration names the same, or leaves it out: evalgate api GET /v1/trusted-issuers';

/** What GitHub says of the job in its token, for comparison with the registration. The token itself is not printed. */
export function reportClaims(checks: Checks, token: string | undefined): void {
  const claims = token === undefined ? undefined : claimsOf(token);
  if (claims === undefined) return;
  const message = shownClaims(claims, GITHUB_CLAIMS);
  checks.add('OIDC token', { status: 'note', message, hint: TRUSTED });
  const seconds = Math.round(Number(claims.iat) - Date.now() / 1_000);
  if (Math.abs(seconds) > CLOCK_SECONDS_MAX) reportClock(checks, 'clock of the OIDC token', seconds);
}

/** The same of the ID token of another system. It is not exchanged: the next command does so, and only once. */
export function reportIdToken(checks: Checks, io: Pick<Io, 'clock'>, { name, claims }: IdToken): void {
  const seconds = nowMs(io) / 1_000;
  const endsAt = Number(claims.exp);
  const end = endsAt > 0 && endsAt < 1e11 ? new Date(endsAt * 1_000).toISOString() : 'at no time';
  const isOver = !(endsAt > seconds);
  checks.add('ID token', {
    status: isOver ? 'change' : 'note',
    message: `${shownClaims(claims, CI_CLAIMS)}, ends ${end}`,
    hint: isOver ? `It has ended, or never ends: have the job request a new one for ${name}.` : TRUSTED,
  });
  const ahead = Math.round(Number(claims.iat) - seconds);
  if (ahead > CLOCK_SECONDS_MAX) reportClock(checks, 'clock of the ID token', ahead);
  checks.add('identity', {
    status: 'note',
    message: 'not examined, since the ID token is good for one exchange, which the next command makes',
    hint: `What it may do: evalgate login --id-token-env ${name}, then evalgate whoami`,
  });
}

const shownClaims = (claims: JobClaims, names: readonly string[]): string =>
  names
    .filter((name) => ['string', 'number', 'boolean'].includes(typeof claims[name]) && claims[name] !== '')
    .map((name) => `${name} ${String(claims[name]).slice(0, VALUE_CHARACTERS_MAX)}`)
    .join(', ');

function reportClock(checks: Checks, check: string, seconds: number): void {
  checks.add(check, {
    status: 'change',
    message: `it differs from this machine's by ${Math.abs(seconds)} s`,
    hint: 'Set the clock of this machine, and that of the service: tokens are good for minutes.',
  });
}
