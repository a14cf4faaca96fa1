/** The most times that any half-open window of this length holds, wherever it starts. */
export function mostInAnyWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  let first = 0;
  return sorted.reduce((most, time, last) => {
    while ((sorted[first] ?? time) <= time - windowMs) first++;
    return Math.max(most, last - first + 1);
  }, 0);
}
