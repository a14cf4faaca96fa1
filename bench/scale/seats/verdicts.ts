import type { ChunkMessage } from '../../../shared/domain/messages.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { runStore } from '../../../shared/storage/runs/runs.ts';
import type { SeatsStage } from './stage.ts';

/** From now to the end of the run of these messages. */
export async function secondsToVerdict(
  { sim, table }: SeatsStage,
  messages: readonly ChunkMessage[],
): Promise<number> {
  const runs = runStore(table.memory, () => sim.random.uuid());
  const { org_id, run_id } = messages[0] ?? { org_id: '', run_id: '' };
  const fromMs = sim.now();
  while ((await runs.find(org_id, run_id))?.status === 'pending') {
    if (sim.now() - fromMs > DAY_MS) throw new Error('the run has no verdict after a day');
    await sim.sleep(100);
  }
  return (sim.now() - fromMs) / 1_000;
}
