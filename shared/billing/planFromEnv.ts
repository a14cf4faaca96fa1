import * as z from 'zod';
import { PLANS } from '../contracts/auth.ts';
import { readVariables } from '../runtime/config.ts';

export const planVariables = {
  /** Of organisations that are made on this installation. */
  EVALGATE_PLAN: z.enum(PLANS, `must be one of ${PLANS.join(', ')}`).default('free'),
};

/** Only functions that make organisations read it. */
export const planFromEnv = (env: Readonly<Record<string, string | undefined>>) =>
  readVariables(z.object(planVariables), env).EVALGATE_PLAN;
