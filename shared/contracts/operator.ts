import * as z from 'zod';
import { PLANS } from './auth.ts';
import { nameSchema, uuidSchema } from './base/common.ts';

const planSchema = z.enum(PLANS, `must be one of ${PLANS.join(', ')}`);

/** What the operator of an installation may do with an organisation, without a credential of it: no endpoint takes it. */
export const operatorCommandSchema = z.discriminatedUnion('command', [
  /** Without a plan: `EVALGATE_PLAN`. */
  z.strictObject({
    command: z.literal('create-organisation'),
    name: nameSchema,
    plan: planSchema.optional(),
  }),
  z.strictObject({ command: z.literal('set-plan'), organisation: uuidSchema, plan: planSchema }),
  /** An API key of scope `full`, for an organisation that has lost its own. */
  z.strictObject({ command: z.literal('create-key'), organisation: uuidSchema }),
]);
export type OperatorCommand = z.infer<typeof operatorCommandSchema>;
