import { playEach } from './playEach.ts';
import { stormScenarios } from './stormScenarios.ts';

playEach(stormScenarios);
