/** How an operation of the service is sent, and what a client makes of its answer. */
export interface Operation {
  readonly method: string;
  /** `:` marks a parameter. */
  readonly path: string;
  /**
   * `whole`: the caller gets the answer's body, not its field `data`; `list`: it comes in pages, by a query; `query`:
   * it takes one; `public`: without a credential; `key`: it takes an idempotency key; `gzip`: its bodies are large; a
   * status: a success that is no 2xx. POST, PUT and PATCH take a body, unless they are `bare`.
   */
  readonly has: (trait: string | number) => boolean;
}

/** Reads a row of the generated table. */
export function operationOf(row: string): Operation {
  const [method = '', path = '', ...traits] = row.split(' ');
  return { method, path, has: (trait) => traits.includes(String(trait)) };
}

export interface CallOptions {
  /** Ends the call: its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take with all its tries and the pauses between them. */
  readonly deadlineMs?: number | undefined;
}

export interface KeyedOptions extends CallOptions {
  /**
   * 1 to 255 visible characters of ASCII. Calls with the same key and body within 24 hours are one run. Left out, the
   * call has one of its own, which all its tries share.
   */
  readonly idempotencyKey?: string | undefined;
}
