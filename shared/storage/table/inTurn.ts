/** Spares writers of one process failed conditions; between processes the conditions alone decide. */
export function createTurns() {
  const tails = new Map<string, Promise<unknown>>();
  return async <R>(key: string, step: () => Promise<R>): Promise<R> => {
    const turn = (tails.get(key) ?? Promise.resolve()).then(step);
    const tail = turn.catch(() => undefined);
    tails.set(key, tail);
    try {
      return await turn;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
