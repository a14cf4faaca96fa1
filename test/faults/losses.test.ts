import { lossScenarios } from './lossScenarios.ts';
import { playEach } from './playEach.ts';

playEach(lossScenarios);
