import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../sdk/transport/environment.ts';

/** What a command has of its process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Data. A terminal has columns. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Words. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** By which requests end and are repeated. The process's own where none is given. */
  readonly clock?: Pick<Environment, 'now' | 'sleep' | 'after'>;
}

/** A variable that is set to something. Workflows set those of missing secrets to nothing. */
export const variable = ({ env }: Pick<Io, 'env'>, name: string): string | undefined =>
  env[name]?.trim() || undefined;

export const isInActions = (io: Pick<Io, 'env'>): boolean => variable(io, 'GITHUB_ACTIONS') === 'true';

export const nowMs = ({ clock }: Pick<Io, 'clock'>): number => (clock?.now ?? Date.now)();
