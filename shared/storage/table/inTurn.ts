/**
 * Runs the steps of one key one after another, each with the result of the one before. So writers of one process do
 * not fail each other's conditions; between processes the conditions decide.
 */
export function createTurns<T>() {
  const tails = new Map<string, Promise<T | undefined>>();
  return async <R>(
    key: string,
    step: (left: T | undefined) => Promise<{ result: R; leaves?: T }>,
  ): Promise<R> => {
    const turn = (tails.get(key) ?? Promise.resolve(undefined)).then(step);
    const tail = turn.then(
      ({ leaves }) => leaves,
      () => undefined,
    );
    tails.set(key, tail);
    try {
      return (await turn).result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
