import { type Runtime, runtimeFromEnv } from '../runtime/runtime.ts';

/** What a schedule hands to its function. Without a shard the function takes all shards, one after the other. */
interface ScheduledDetail {
  readonly remindAfterMs?: number;
  readonly shard?: number;
}

interface ScheduledWork<Deps, Result> {
  readonly dependencies: (runtime: Runtime) => Deps;
  readonly handle: (detail: ScheduledDetail, deps: Deps) => Promise<Result>;
}

export function schedule<Deps, Result>(work: ScheduledWork<Deps, Result>) {
  const build = (runtime: Runtime, overrides: Partial<Deps> = {}) => {
    const deps = { ...work.dependencies(runtime), ...overrides };
    return (event: { detail?: ScheduledDetail }) => work.handle(event.detail ?? {}, deps);
  };
  let built: ReturnType<typeof build> | undefined;
  const handler: ReturnType<typeof build> = (event) => {
    built ??= build(runtimeFromEnv());
    return built(event);
  };
  return Object.assign(handler, { withRuntime: build });
}
