import { baselineScenarios } from './baselineScenarios.ts';
import { keyScenarios } from './keyScenarios.ts';
import { largeScenarios } from './largeScenarios.ts';
import { playEach } from './playEach.ts';
import { pushScenarios } from './pushScenarios.ts';
import { seatScenarios } from './seatScenarios.ts';

playEach([...baselineScenarios, ...pushScenarios, ...largeScenarios, ...seatScenarios, ...keyScenarios]);
