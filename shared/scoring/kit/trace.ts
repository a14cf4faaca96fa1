/** What a call was made with: members, a text for tools that take one, nothing readable, or nothing that is known. */
export type CallArguments =
  | { readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly text: string }
  | { readonly malformed: true }
  | Readonly<Record<never, never>>;

/** One use of a tool in the normal form, the same for every format. It holds no message and no id. */
export interface Call {
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** For a tool that takes free text. */
  readonly text?: string;
  /** What the model wrote as arguments is no JSON object. */
  readonly malformed?: true;
  readonly failed?: true;
  /** A sub-agent made it. */
  readonly nested?: true;
  /** From 0 on. Calls of one step were made at once. */
  readonly step: number;
  /** What the tool answered, as JSON. Left out where it is not known. */
  readonly result?: unknown;
  /** The first step after the result came, where that is not the next one. */
  readonly since?: number;
  /** Its place among the calls as they were sent, from 1 on. It decides nothing. */
  readonly at: number;
}

/** By step, and within a step by what they are. */
export type Trace = readonly Call[];

/** What stands in the trace, and what its agent said last. */
export interface ReadTrace {
  readonly trace: Trace;
  /** The last text of the assistant. Not known where there is none, or a call comes after it. */
  readonly output?: string;
}

export const TRACE_CALLS_MAX = 1_000;
export const TRACE_ENTRIES_MAX = 4_000;
export const TRACE_BYTES_MAX = 262_144;
export const TOOL_LENGTH_MAX = 256;

export type TracePath = readonly (string | number)[];

/** Why a trace cannot be read, and where in it. */
export class TraceFault extends Error {
  readonly path: TracePath;

  constructor(path: TracePath, message: string) {
    super(message);
    this.path = path;
  }
}

export function fail(path: TracePath, message: string): never {
  throw new TraceFault(path, message);
}
