import type { CASES_MAX } from '../contracts/cases.ts';
import type { SCORERS_MAX } from '../contracts/scorers.ts';
import { type AppError, invalidField, notFound } from './errors.ts';
import type { NotCreated } from './ports.ts';

export const LIMIT = {
  projects: 1_000,
  suites: 1_000,
  scorers: 1_000 satisfies typeof SCORERS_MAX,
  cases: 10_000 satisfies typeof CASES_MAX,
  byokKeys: 100,
  projectByokKeys: 20,
} as const;

export const API_KEY_DAYS_MAX = 3_653;
export const PERSONS_KEY_DAYS_MAX = 365;
export const TRUSTED_ISSUERS_MAX = 100;

/** The texts of a suite's cases and scorers as JSON: a function of 512 MB holds them several times while it scores. */
export const SCORED_BYTES_MAX = 32 * 1_024 * 1_024;

export const KEY_TOKEN_SECONDS = 3_600;
export const GITHUB_JOB_TOKEN_SECONDS = 900;
/** Jobs of other systems cannot ask for a second token. */
export const CI_JOB_TOKEN_SECONDS = 3_600;
export const SESSION_SECONDS = 12 * 3_600;
/** Sessions of persons and tokens of their command lines. */
export const PERSON_SECONDS = 8 * 3_600;
/** After this a session has to show its key again, or its person to sign in again, for what is sensitive. */
export const REAUTHENTICATION_SECONDS = 600;

/** The longest that API Gateway lets a request take. */
const REQUEST_MS_MAX = 30_000;
export const REQUEST_WAIT_MS_MAX = REQUEST_MS_MAX - 5_000;
/** After this an idempotency key may be claimed again: the request that claimed it has ended. */
export const IDEMPOTENCY_CLAIM_MS = REQUEST_MS_MAX + 10_000;
/** By then every request that was under way has written what it had to write. */
export const REQUESTS_SETTLED_MS = 4 * REQUEST_MS_MAX;

/** Judged outputs of an organisation's pending runs: an hour of its judge slots at one provider, calls of 3 s. */
export const OPEN_JUDGED_CASES_MAX = 24_000;

const HOLDER: Readonly<Record<keyof typeof LIMIT, { by: string; as: string }>> = {
  projects: { by: 'an organisation', as: 'projects' },
  suites: { by: 'a project', as: 'suites' },
  scorers: { by: 'a project', as: 'scorers' },
  cases: { by: 'a suite', as: 'cases' },
  byokKeys: { by: 'an organisation', as: 'BYOK keys' },
  projectByokKeys: { by: 'a project', as: 'BYOK keys' },
};

export function limitRefusal(outcome: Exclude<NotCreated, 'slug_taken'>, kind: keyof typeof LIMIT): AppError {
  if (outcome === 'parent_gone') return notFound(kind === 'cases' ? 'suite' : 'project');
  const { by, as } = HOLDER[kind];
  return invalidField(
    'body',
    `${by} holds at most ${LIMIT[kind].toLocaleString('en-US')} ${as}: delete some first`,
  );
}
