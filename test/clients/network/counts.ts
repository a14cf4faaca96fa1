import type { Evalgate } from '../../../clients/sdk/index.ts';

/** The runs of a suite, and those of its organisation that are billed. */
export async function countsOf({ gate, suiteId }: { gate: Evalgate; suiteId: string }) {
  const { pagination } = await gate.runs.list(suiteId, { pageSize: 1 }).page();
  return { runs: pagination?.total ?? 0, used: (await gate.billing.usage()).current_usage };
}

/** The plan of a new organisation has 500 runs a month: so many sequences use one, with two runs each at most. */
export const SEQUENCES_OF_ONE = 200;
