import { keyScenarios } from './keyScenarios.ts';
import { packScenarios } from './packScenarios.ts';
import { playEach } from './playEach.ts';
import { pushScenarios } from './pushScenarios.ts';
import { seatScenarios } from './seatScenarios.ts';

playEach([...pushScenarios, ...packScenarios, ...seatScenarios, ...keyScenarios]);
