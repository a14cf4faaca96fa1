import type { GateResult } from '../kept.ts';
import type { Gate } from './gate.ts';
import { judges } from './judges.ts';
import { maxNewlyFailing } from './maxNewlyFailing.ts';
import { minJudgedCases } from './minJudgedCases.ts';
import { minLowerBound } from './minLowerBound.ts';
import { mustPass } from './mustPass.ts';
import { regression } from './regression.ts';
import { tags } from './tags.ts';

/** Every gate beside `pass_rate`, in the order in which they are answered. */
export const gates: readonly Gate[] = [
  minJudgedCases,
  minLowerBound,
  mustPass,
  tags,
  maxNewlyFailing,
  regression,
  judges,
];

const relativeKinds = new Set(gates.filter(({ isRelative }) => isRelative).map(({ kind }) => kind));

/** Whether the result is of a gate that compares the run with a baseline. */
export const isRelative = ([kind]: GateResult): boolean => relativeKinds.has(kind);
