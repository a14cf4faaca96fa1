import type { ChunkMessage } from '../../messages.ts';
import type { ChunkPlan, Evaluation, TakenChunk } from '../evaluation.ts';

export function openChunks(
  { orgId, run }: Evaluation,
  plan: ChunkPlan,
  taken: ReadonlyMap<number, TakenChunk>,
): ChunkMessage[] {
  return [...plan.ends.keys()]
    .filter((chunk) => taken.get(chunk)?.ended !== true)
    .map((chunk) => {
      const waits = taken.get(chunk)?.waits ?? 0;
      return { kind: 'chunk', org_id: orgId, run_id: run.id, chunk, waits, held: 0 };
    });
}
