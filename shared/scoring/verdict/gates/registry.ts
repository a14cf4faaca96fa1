import type { Gate } from './gate.ts';
import { minJudgedCases } from './minJudgedCases.ts';
import { minLowerBound } from './minLowerBound.ts';
import { mustPass } from './mustPass.ts';
import { tags } from './tags.ts';

/** Every gate beside `pass_rate`, in the order in which they are answered. */
export const gates: readonly Gate[] = [minJudgedCases, minLowerBound, mustPass, tags];
