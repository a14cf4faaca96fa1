import {
  claimNamed,
  type NewRegistration,
  type TrustedIssuer,
} from '../../contracts/credentials/trustedIssuers.ts';
import { AppError, invalidField } from '../errors.ts';
import { type Claims, claimAt, fits } from './claimConditions.ts';

/** Everybody can have an account there. */
const SHARED_ISSUERS =
  /^https:\/\/(accounts\.google\.com|gitlab\.com|github\.com|token\.actions\.githubusercontent\.com|appleid\.apple\.com|login\.microsoftonline\.com\/9188040d-6c67-4c5b-b112-36a304b66dad(\/v2\.0)?)\/?$/;
/** Claims that tell one customer of such an issuer, or one person, from the others. */
const BINDING: ReadonlySet<string> = new Set([
  'hd',
  'sub',
  'oid',
  'email',
  'groups',
  'groups_direct',
  'roles',
]);

/** Throws where strangers would fit. */
export function conditionsOfPersons({ claims = {} }: Pick<NewRegistration, 'claims'>, issuer: string) {
  const isBound = Object.keys(claims).some((name) => BINDING.has(claimNamed(name)));
  if (SHARED_ISSUERS.test(issuer) && !isBound)
    throw invalidField(
      'claims',
      `must name one of ${[...BINDING].join(', ')}: everybody can have an account at ${issuer}`,
    );
  return claims;
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** An address that the provider has not verified may be another person's. */
export function fitsPerson({ claims }: TrustedIssuer, token: Claims): boolean {
  if (claims === null || !fits(claims, token)) return false;
  return !Object.keys(claims).some((name) => claimNamed(name) === 'email') || isTrue(token.email_verified);
}

const ORDER = ['full', 'suites', 'read', 'run'] as const;

/**
 * The one of the registrations that fit whose rights a person gets: of the project that was named, then for all projects before for one,
 * then by scope, then the oldest. Rights are never added up.
 */
export function admittedBy(
  registrations: readonly TrustedIssuer[],
  token: Claims,
  projectId: string | undefined,
): TrustedIssuer {
  const rankOf = ({ project_id, scope }: TrustedIssuer): number =>
    (project_id !== null && project_id === projectId ? 0 : project_id === null ? 10 : 20) +
    ORDER.indexOf(scope);
  const [first] = registrations.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (a.created_at < b.created_at ? -1 : 1),
  );
  if (first !== undefined) return first;
  const isCut = Object.hasOwn(Object(claimAt(token, '_claim_names')), 'groups');
  throw new AppError(
    'NOT_ADMITTED',
    isCut
      ? 'You signed in, but the provider left your groups out because they are too many: ask your administrator to admit you by app roles.'
      : 'You signed in, but your organisation admits you to nothing here: ask its administrator.',
  );
}
