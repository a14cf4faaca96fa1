import { suiteSchema } from '../../contracts/suites.ts';
import type { SuiteBar } from '../../domain/suites/ports.ts';
import type { Item } from '../table/table.ts';

const barSchema = suiteSchema.pick({ pass_threshold: true, gates: true, keep_outputs: true });

export function barOf(suite: Item): SuiteBar {
  const { pass_threshold, gates, keep_outputs } = barSchema.parse(suite);
  return { passThreshold: pass_threshold, gates, keepOutputs: keep_outputs };
}
