import { playEach } from './playEach.ts';
import { pushScenarios } from './pushScenarios.ts';

playEach(pushScenarios);
