import { setTimeout } from 'node:timers/promises';

export const sleep = async (ms: number): Promise<void> => setTimeout(ms);
