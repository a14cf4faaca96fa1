import { heldKeyScenarios } from './heldKeyScenarios.ts';
import { playEach } from './playEach.ts';

playEach(heldKeyScenarios);
