import * as z from 'zod';
import type { WorkMessage } from '../domain/messages.ts';

const run = { org_id: z.uuid(), run_id: z.string().regex(/^run_[0-9A-Za-z]{1,64}$/) };

const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan'), ...run }),
  z.object({
    kind: z.literal('chunk'),
    ...run,
    chunk: z.int().min(0),
    waits: z.int().min(0),
    held: z.int().min(0),
  }),
  z.object({
    kind: z.literal('key_test'),
    org_id: z.uuid(),
    key_id: z.uuid(),
    test_id: z.uuid(),
    model: z.string().max(512).optional(),
  }),
  z.object({ kind: z.literal('judge_check'), org_id: z.uuid(), suite_id: z.uuid(), check_id: z.uuid() }),
  z.object({ kind: z.literal('extend_retention'), org_id: z.uuid() }),
]) satisfies z.ZodType<WorkMessage>;

/** Validates as the consumer does. A message has at most a few thousand bytes, so that any ten fit into a batch. */
export function writeMessage(message: WorkMessage): string {
  return JSON.stringify(z.encode(messageSchema, message));
}

/** Throws for a body that is no message. */
export function readMessage(body: string): WorkMessage {
  return messageSchema.parse(JSON.parse(body));
}
