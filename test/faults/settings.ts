import type { Judge } from '../../shared/domain/evaluation/judge.ts';
import type { Faults, Process } from './processes.ts';
import type { ProviderSettings, SimulatedProvider } from './provider.ts';

export interface WorldSettings {
  readonly faults: Faults;
  readonly provider: ProviderSettings;
  /** One process for all functions, as on a laptop, or one for every invocation under way, as Lambda has it. */
  readonly isShared: boolean;
  readonly evaluators: number;
  readonly batchMax: number;
  readonly visibilityMs: number;
  readonly retryMs: number | undefined;
  readonly judge?: (provider: SimulatedProvider, process: Process) => Judge;
  /** Operations that kill their process. */
  readonly kills?: (process: Process, operation: string) => boolean;
}

export interface Engine {
  readonly endpoint: string;
  readonly tableName: string;
  readonly vaultKeyFile: string;
}

export interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came back is for the scenario to judge
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
}
