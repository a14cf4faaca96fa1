/** Why the service cannot run: one sentence for the person who started it, with what to do about it. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** In one line. A refused connection comes as an AggregateError without a message of its own. */
export function reasonOf(error: unknown): string {
  const causes = error instanceof AggregateError && error.message === '' ? error.errors : [error];
  return causes.map((cause) => messageOf(cause).split('\n')[0]).join(', ');
}
