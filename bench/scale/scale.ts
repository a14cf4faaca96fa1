import type { Bench } from '../result.ts';
import { assumptionRows } from './assumptions.ts';
import { modelBigLoad } from './load.ts';
import type { Model } from './model.ts';
import { modelNumbers } from './numbers.ts';
import { modelSeats } from './seats/seats.ts';
import { modelSweep } from './sweep.ts';

/** In the order of the table. */
const MODELS: readonly Model[] = [modelNumbers, modelSeats, modelSweep, modelBigLoad];

/** Where the service stops growing: discrete events with fixed seeds, so that each run gives the same figures. */
export const benchScale: Bench = async (size) => {
  const rows = assumptionRows();
  for (const model of MODELS) rows.push(...(await model(size)));
  return rows;
};
