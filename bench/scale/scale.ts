import type { Bench } from '../result.ts';
import { assumptionRows } from './assumptions.ts';
import type { Model } from './model.ts';
import { modelOneItem } from './oneItem.ts';
import { modelSeats } from './seats/seats.ts';

/** In the order of the table. */
const MODELS: readonly Model[] = [modelOneItem, modelSeats];

/** Where the service stops growing: discrete events with fixed seeds, so that each run gives the same figures. */
export const benchScale: Bench = async (size) => {
  const rows = assumptionRows();
  for (const model of MODELS) rows.push(...(await model(size)));
  return rows;
};
