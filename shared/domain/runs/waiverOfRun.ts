import type { Run } from '../../contracts/runs.ts';
import type { Ambient } from '../ports.ts';
import { digestsOf, shownWaiver } from './baseline/carriedWaiver.ts';
import type { WaiverReader } from './baseline/ports.ts';
import { runId } from './ids.ts';
import type { StoredRun } from './ports.ts';

export interface WaiverDeps extends Pick<Ambient, 'now'> {
  readonly waivers: Pick<WaiverReader, 'find'>;
}

/** A run as it is answered: with its waiver, or that of an earlier run which it carries, until that is revoked. */
export async function withWaiver<R extends StoredRun>(
  { waivers, now }: WaiverDeps,
  orgId: string,
  run: R,
): Promise<R & Pick<Run, 'waiver'>> {
  const { suite_id: id, waived } = run;
  const digests = digestsOf(run);
  if (waived === null || digests === undefined) return run;
  const waiver = await waivers.find({ orgId, id }, digests, waived);
  if (waiver === undefined) return run;
  const context = { runId: runId({ suiteId: id, number: waived }), nowMs: now() };
  return { ...run, waiver: shownWaiver(digests, waiver, context) };
}
