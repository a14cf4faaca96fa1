/** A message to the evaluator. Messages carry ids only, so that duplicated or late messages change nothing. */
export type WorkMessage =
  | { readonly kind: 'plan'; readonly org_id: string; readonly run_id: string }
  | {
      readonly kind: 'chunk';
      readonly org_id: string;
      readonly run_id: string;
      readonly chunk: number;
      /** How often the chunk was put back because all judge slots were taken: an older message is stale. */
      readonly waits: number;
      /** How often the message found the chunk held by another evaluator. */
      readonly held: number;
    }
  | {
      readonly kind: 'key_test';
      readonly org_id: string;
      readonly key_id: string;
      readonly test_id: string;
      /** Names the endpoint, for providers whose models do that. */
      readonly model?: string | undefined;
    }
  | {
      readonly kind: 'judge_check';
      readonly org_id: string;
      readonly suite_id: string;
      readonly check_id: string;
    }
  | { readonly kind: 'extend_retention'; readonly org_id: string };

export interface WorkQueue {
  send(messages: readonly WorkMessage[], delaySeconds?: number): Promise<void>;
}

export interface CountedQueue extends WorkQueue {
  /** Whether no message waits to be received, as far as the queue knows. */
  isEmpty(): Promise<boolean>;
}

export type ChunkMessage = Extract<WorkMessage, { kind: 'chunk' }>;

/** Thrown so that the queue delivers the message again later. */
export class RetainMessage extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'RetainMessage';
  }
}
