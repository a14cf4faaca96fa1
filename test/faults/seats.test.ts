import { playEach } from './playEach.ts';
import { seatScenarios } from './seatScenarios.ts';

playEach(seatScenarios);
