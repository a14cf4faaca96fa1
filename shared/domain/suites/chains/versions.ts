import { AppError } from '../../errors.ts';

/** What a caller has read, and changes only as it was. Undefined: whatever is in force. */
export type ExpectedVersion = number | undefined;

export function requireVersion(
  what: 'suite' | 'scorer',
  { version }: { readonly version: number },
  expected: ExpectedVersion,
): void {
  if (expected === undefined || expected === version) return;
  throw new AppError(
    'VERSION_CONFLICT',
    `The ${what} has changed since it was read: it is version ${version} now, not ${expected}. Read it again.`,
    { version },
  );
}
