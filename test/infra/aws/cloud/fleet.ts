import type { AwsFront } from './awsFront.ts';
import type { Deployed } from './deployed.ts';
import type { RunningEngines } from './engines.ts';
import { type EventSources, startEventSources } from './eventSources.ts';
import { type LambdaFunction, lambdaFunction, warmPool } from './lambda.ts';

export interface FleetOptions {
  readonly front: AwsFront;
  readonly engines: RunningEngines;
  /** See `Host`. */
  readonly standIns: Readonly<Record<string, string>>;
  readonly onLine: (functionId: string, line: string) => void;
}

export interface FleetSettings {
  readonly clockAheadMs?: number;
  /** See `EventSourceHost`. */
  readonly retryDelaySeconds?: number;
}

/** All functions of a deployment with their event sources. */
export interface Fleet {
  start(deployed: Deployed, settings?: FleetSettings): Promise<void>;
  invoke(functionId: string, event: unknown): Promise<unknown>;
  /** No process is left. */
  stop(): Promise<void>;
}

export function createFleet({ front, engines, standIns, onLine }: FleetOptions): Fleet {
  let functions: ReadonlyMap<string, LambdaFunction> = new Map();
  let sources: EventSources | undefined;

  async function invoke(functionId: string, event: unknown): Promise<unknown> {
    const fn = functions.get(functionId);
    if (fn === undefined) throw new Error(`${functionId} is not deployed`);
    return fn.invoke(event);
  }

  return {
    invoke,
    async start(deployed, { clockAheadMs = 0, retryDelaySeconds } = {}) {
      front.serve(deployed, engines);
      const { account, region } = deployed;
      const pool = warmPool();
      functions = new Map(
        [...deployed.functions].map(([id, fn]) => {
          const credentials = front.accessKeyOf(id);
          const host = { account, region, credentials, standIns, clockAheadMs };
          return [id, lambdaFunction(fn, { ...host, onLine: (line) => onLine(id, line) }, pool)];
        }),
      );
      sources = await startEventSources(deployed, {
        frontUrl: front.url,
        sqsUrl: engines.sqs,
        credentialsOf: front.accessKeyOf,
        invoke,
        retryDelaySeconds,
      });
    },
    async stop() {
      await sources?.stop();
      sources = undefined;
      await Promise.all([...functions.values()].map((fn) => fn.stop()));
    },
  };
}
