import { packScenarios } from './packScenarios.ts';
import { playEach } from './playEach.ts';

playEach(packScenarios);
