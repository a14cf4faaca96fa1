import type { TrustedIssuer } from '../../contracts/credentials/trustedIssuers.ts';

export type Claims = Readonly<Record<string, unknown>>;
export type Conditions = NonNullable<TrustedIssuer['claims']>;

const ownField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Claims)[name]
    : undefined;

/** By the name of a claim, or by a JSON pointer (RFC 6901) through objects. Undefined where there is none. */
export function claimAt(claims: Claims, name: string): unknown {
  if (!name.startsWith('/')) return ownField(claims, name);
  const steps = name.slice(1).split('/');
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => ownField(value, step), claims);
}

/** A text as it is, a boolean or integer by its JSON text. Undefined for anything else, which never fits. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isSafeInteger(value) ? JSON.stringify(value) : undefined;
}

/** Whether all conditions fit: of an array one member must fit, of several wanted texts one. */
export function fits(conditions: Conditions, claims: Claims): boolean {
  return Object.entries(conditions).every(([name, allowed]) => {
    const value = claimAt(claims, name);
    const texts = (Array.isArray(value) ? value : [value]).map(textOf);
    return [allowed].flat().some((text) => texts.includes(text));
  });
}
