import { keyScenarios } from './keyScenarios.ts';
import { lossScenarios } from './lossScenarios.ts';
import { runScenarios } from './runScenarios.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: readonly Scenario[] = [...runScenarios, ...lossScenarios, ...keyScenarios];

export { storeKey } from './storedKeys.ts';
