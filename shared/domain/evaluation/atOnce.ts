/** Runs a task for each item, `limit` at a time. The first failure is thrown after all started tasks have ended. */
export async function atOnce<T>(
  limit: number,
  items: readonly T[],
  task: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const item of left) {
      if (failures.length > 0) return;
      await task(item).catch((error: unknown) => void failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length > 0) throw failures[0];
}
