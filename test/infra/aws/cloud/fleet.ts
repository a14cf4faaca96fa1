import type { AwsFront } from './awsFront.ts';
import type { Deployed, DeployedFunction } from './deployed.ts';
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
  /** Replaces what is deployed. Functions that stay what they are go on. */
  start(deployed: Deployed, settings?: FleetSettings): Promise<void>;
  invoke(functionId: string, event: unknown): Promise<unknown>;
  /** No process is left. */
  stop(): Promise<void>;
}

interface Running {
  readonly lambda: LambdaFunction;
  readonly surrounding: string;
}

export function createFleet({ front, engines, standIns, onLine }: FleetOptions): Fleet {
  const pool = warmPool();
  let functions: ReadonlyMap<string, Running> = new Map();
  let sources: EventSources | undefined;
  let aheadMs = 0;

  /** The one that runs, unless its process would have another surrounding: its rights are not part of that. */
  function running(fn: DeployedFunction, { account, region }: Deployed): Running {
    const { statements: _, ...made } = fn;
    const surrounding = JSON.stringify(made);
    const known = functions.get(fn.id);
    if (known?.surrounding === surrounding) return known;
    const credentials = front.accessKeyOf(fn.id);
    const host = { account, region, credentials, standIns, clockAheadMs: () => aheadMs };
    const lambda = lambdaFunction(fn, { ...host, onLine: (line) => onLine(fn.id, line) }, pool);
    return { lambda, surrounding };
  }

  async function invoke(functionId: string, event: unknown): Promise<unknown> {
    const fn = functions.get(functionId);
    if (fn === undefined) throw new Error(`${functionId} is not deployed`);
    return fn.lambda.invoke(event);
  }

  return {
    invoke,
    async start(deployed, { clockAheadMs = 0, retryDelaySeconds } = {}) {
      front.serve(deployed, engines);
      await sources?.stop();
      aheadMs = clockAheadMs;
      const next = new Map([...deployed.functions].map(([id, fn]) => [id, running(fn, deployed)]));
      const gone = [...functions].filter(([id, one]) => next.get(id) !== one);
      functions = next;
      await Promise.all(gone.map(([, one]) => one.lambda.stop()));
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
      await Promise.all([...functions.values()].map(({ lambda }) => lambda.stop()));
    },
  };
}
