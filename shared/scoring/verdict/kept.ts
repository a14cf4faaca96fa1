/** What a run keeps of its verdict beside its figures, as short as JSON can be: every run stores it. */

/** Passed, failed, inconclusive. */
export type StatusLetter = 'p' | 'f' | 'i';

/**
 * The kind of gate, its status and what its answer is made of. The kind `rate` is `pass_rate`, only where it is
 * inconclusive: else it follows from the figures.
 */
export type GateResult = readonly [kind: string, StatusLetter, ...figures: readonly (string | number)[]];

export interface KeptVerdict {
  readonly effectiveCases: number;
  readonly flips: readonly [cases: number, exact: 0 | 1, ...caseIds: string[]] | null;
  readonly gates: readonly GateResult[];
}

/** Of cases that a verdict names. */
export const NAMED_CASES_MAX = 20;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SHORT = /^=[\w-]{22}$/;

/** A UUID in 23 characters; another name, which never starts with `=`, as it is. */
export function shortened(name: string): string {
  return UUID.test(name) ? `=${Buffer.from(name.replaceAll('-', ''), 'hex').toString('base64url')}` : name;
}

export function lengthened(short: string): string {
  if (!SHORT.test(short)) return short;
  const hex = Buffer.from(short.slice(1), 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
