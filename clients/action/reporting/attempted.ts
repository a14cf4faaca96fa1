import type { EvalgateError } from '../../sdk/index.ts';
import type { Runner } from '../job/runner.ts';

/** Does something that is no part of the verdict: a failure is only logged. */
export async function attempted(
  runner: Runner,
  what: string,
  act: () => void | Promise<void>,
  done: 'written' | 'deleted' = 'written',
): Promise<void> {
  try {
    await act();
  } catch (error) {
    runner.annotate('notice', 'evalgate', `${what} could not be ${done}: ${reasonOf(error)}`);
  }
}

/** What GitHub answers a token without the permission. Of other refusals, such as that of a locked thread, its sentence says all. */
const LACKS_PERMISSION = /not accessible by|must have|404: Not Found|40[34]$/i;

function reasonOf(error: unknown): string {
  const { status, message } = error as EvalgateError;
  const mayNot = (status === 403 || status === 404) && LACKS_PERMISSION.test(message);
  if (!mayNot) return message;
  return `the job's token may not do it (${message}). Add to the job:\npermissions:\n  pull-requests: write\nThe token of a fork's job never may.`;
}
