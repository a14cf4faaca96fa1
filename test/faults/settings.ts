import type { Judge } from '../../shared/domain/evaluation/judging/ports.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';
import type { Faults, Process } from './processes.ts';
import type { ProviderSettings, SimulatedProvider } from './provider.ts';

export interface ServiceSettings {
  readonly faults: Faults;
  readonly provider: ProviderSettings;
  /** One process for all functions, as on a laptop, or one for every invocation under way, as Lambda has it. */
  readonly isShared: boolean;
  readonly evaluators: number;
  readonly batchMax: number;
  readonly visibilityMs: number;
  readonly retryMs: number | undefined;
  /** How far an instance's clock may be from the time, either way. */
  readonly skewMs: number;
  readonly judge?: (provider: SimulatedProvider, process: Process) => Judge;
  /** Without it every run must end all the same, unless something fails. */
  readonly hasSweeper: boolean;
  /** Operations that kill their process. */
  readonly kills?: (process: Process, operation: string, faults: Faults) => boolean;
}

/** Where one seed is played. */
export interface Engine {
  readonly endpoint: string;
  readonly tableName: string;
  readonly vaultKeyFile: string;
  open(now: () => number): Promise<Table>;
  everyItem(): Promise<Item[]>;
  close(): Promise<void>;
}

export interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came back is for the scenario to judge
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
}
