import { type AppError, invalidField, notFound } from './errors.ts';
import type { Created } from './ports.ts';

/** How many resources of each kind one parent may hold. */
export const LIMIT = {
  projects: 1_000,
  suites: 1_000,
  scorers: 1_000,
  cases: 10_000,
  byokKeys: 100,
} as const;

/** The words of the refusal: the parent that holds the resources, and their name. */
const HOLDER: Readonly<Record<keyof typeof LIMIT, { by: string; as: string }>> = {
  projects: { by: 'an organisation', as: 'projects' },
  suites: { by: 'a project', as: 'suites' },
  scorers: { by: 'a project', as: 'scorers' },
  cases: { by: 'a suite', as: 'cases' },
  byokKeys: { by: 'an organisation', as: 'BYOK keys' },
};

/** Why something could not be created, as an error for the caller. */
export function limitRefusal(
  outcome: Exclude<Created, 'created' | 'slug_taken'>,
  kind: keyof typeof LIMIT,
): AppError {
  if (outcome === 'parent_gone') return notFound(kind === 'cases' ? 'suite' : 'project');
  const full = outcome === 'scorers_limit_reached' ? 'scorers' : kind;
  const { by, as } = HOLDER[full];
  return invalidField(
    'body',
    `${by} holds at most ${LIMIT[full].toLocaleString('en-US')} ${as}: delete some first`,
  );
}
