/** Spares writers of one process failed conditions; between processes the conditions alone decide. */
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
