/** One sentence for the user: why the service cannot run, and the remedy. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One line. A refused connection is an AggregateError with an empty message. */
export function reasonOf(error: unknown): string {
  const causes = error instanceof AggregateError && error.message === '' ? error.errors : [error];
  return causes.map((cause) => messageOf(cause).split('\n')[0]).join(', ');
}
