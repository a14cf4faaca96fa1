import { reliabilityWords } from '../../gate/report/reliability.ts';
import type { ReportedRun } from '../../gate/report/types.ts';
import type { Evalgate } from '../../sdk/index.ts';

/** Each of two requests: a slow service holds no report back. */
const READ_MS = 6_000;

/** How often the bar of the run contradicts itself. Undefined where the suite has another bar now, or it can't be read. */
export async function reliabilityOf(
  client: Evalgate,
  { id, suite_digest }: Pick<ReportedRun, 'id' | 'suite_digest'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const options = { signal, deadlineMs: READ_MS };
  try {
    const { suite_id } = await client.runs.get(id, options);
    const { digest, reliability } = await client.suites.revision(suite_id, options);
    return digest === suite_digest && reliability ? reliabilityWords(reliability) : undefined;
  } catch {
    return undefined;
  }
}
