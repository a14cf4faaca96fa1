import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { placeOfRun } from '../../domain/runs/ids.ts';
import { chunkKey, type Key, runKey } from './keys.ts';

export function runKeyOf({ orgId, run }: Evaluation): Key {
  const place = placeOfRun(run.id);
  if (place === undefined) throw new Error(`${run.id} is no run id`);
  return runKey(orgId, place.suiteId, place.number);
}

export const chunkKeyOf = ({ orgId, run, runToken }: Evaluation, chunk: number): Key =>
  chunkKey(orgId, run.suite_id, runToken, chunk);
