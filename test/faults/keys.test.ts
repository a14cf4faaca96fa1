import { keyScenarios } from './keyScenarios.ts';
import { playEach } from './playEach.ts';

playEach(keyScenarios);
