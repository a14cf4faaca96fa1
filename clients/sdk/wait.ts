import { EvalgateError } from './errors.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { PendingRun, Run, RunResult, RunsCreateBody, RunVerdict } from './generated/types.ts';
import { fieldOf } from './transport/answer.ts';
import { type CallOptions, type KeyedOptions, operationOf } from './transport/operation.ts';
import { ANSWER_MS_MAX, FOREVER, MINUTE_MS, pollPauseMs } from './transport/retries.ts';
import type { Send, SendOptions } from './transport/send.ts';
import type { Settings } from './transport/settings.ts';
import { failureOf, type Outcome, outcomeOf } from './verdict.ts';

export interface WaitOptions extends CallOptions {
  /** Such as `90s`, `15m` or `1h`, or a number of ms; `30m` by default. 0 does not wait. */
  readonly wait?: string | number | undefined;
  /** Called with a run that is still pending: when its id is known, and at each look at it. */
  readonly onPending?: ((run: Run | PendingRun) => void) | undefined;
}

export interface RunOptions extends WaitOptions, KeyedOptions {}

export interface Gate {
  /** Runs a gate and waits for its verdict. A run that is pending when the wait ends is returned as it is. */
  run(body: RunsCreateBody, options?: RunOptions): Promise<Outcome>;
  /** Waits for the verdict of a run that was started before. */
  wait(runId: string, options?: WaitOptions): Promise<Outcome>;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** A duration in ms. Throws for what is none. */
export function durationMs(text: string | number): number {
  const [, amount, unit = ''] = /^([\d.]+)(ms|s|m|h)$/.exec(String(text)) ?? [];
  const ms = unit ? Number(amount) * (UNIT_MS[unit] ?? 0) : text;
  if (typeof ms === 'number' && ms >= 0) return ms;
  throw new TypeError('wait: such as 90s.');
}

export function createGate({ environment: { now, sleep, random } }: Settings, send: Send): Gate {
  const endOf = ({ wait = '30m', deadlineMs = FOREVER }: WaitOptions): number =>
    now() + Math.min(durationMs(wait), deadlineMs);

  /** Goes on until the wait ends, and for a minute at least: a service that restarts meanwhile has time to come back. */
  function patienceUntil(endsAtMs: number, { signal, deadlineMs = FOREVER }: CallOptions): SendOptions {
    const leftMs = Math.max(endsAtMs - now(), Math.min(deadlineMs, MINUTE_MS));
    return { signal, deadlineMs: leftMs, retries: FOREVER, retryAfterMsMax: leftMs };
  }

  /** Looks again until the wait is over, after any failure of the service, too. `looked`: how often before this. */
  async function follow(id: string, endsAtMs: number, options: WaitOptions, looked = 0): Promise<Outcome> {
    const { signal, onPending } = options;
    for (let looks = looked; ; looks++) {
      const leftMs = endsAtMs - now();
      if (looks && leftMs > 0) await sleep(Math.min(pollPauseMs(looks - 1, random()), leftMs), signal);
      const { body } = await send(
        operationOf(OPERATIONS.runs.get),
        { names: [id] },
        patienceUntil(endsAtMs, options),
      );
      const run = requireComplete(fieldOf(body, 'data') as Run);
      if (run.status !== 'pending' || now() >= endsAtMs) return withFailures(run, options);
      onPending?.(run);
    }
  }

  /** The verdict stands, whether its details can be read or not. */
  async function withFailures(run: Run, options: WaitOptions): Promise<Outcome> {
    if (!run.failed_cases || run.results_hidden) return outcomeOf(run, []);
    const input = { names: [run.id], query: { outcome: 'failed', page: 1, pageSize: 100 } };
    const results = await send(operationOf(OPERATIONS.runs.results), input, patienceUntil(0, options)).then(
      ({ body }) => fieldOf(body, 'data') as RunResult[],
      () => [],
    );
    const failures = results.filter(({ advisory }) => !advisory).map(failureOf);
    return outcomeOf(run, failures);
  }

  return {
    async run(body, options = {}) {
      const { idempotencyKey = crypto.randomUUID(), onPending } = options;
      const endsAtMs = endOf(options);
      const waitMs = endsAtMs - now();
      const sent = { trigger: 'sdk', ...(waitMs < ANSWER_MS_MAX && { async: true }), ...body };
      try {
        const { body: answered } = await send(
          operationOf(OPERATIONS.runs.create),
          { names: [], body: sent, idempotencyKey },
          patienceUntil(endsAtMs, options),
        );
        const run = requireComplete(answered as RunVerdict | PendingRun);
        if (run.status !== 'pending') return outcomeOf(run, run.failures);
        onPending?.(run);
        return await follow(run.id, endsAtMs, options, 1);
      } catch (error) {
        // Whatever failed: the call with this key finds the run.
        if (error instanceof EvalgateError) error.idempotencyKey = idempotencyKey;
        throw error;
      }
    },
    wait: (runId, options = {}) => follow(runId, endOf(options), options),
  };
}

/** A verdict is not read from something that is none: throws where one of its fields is missing. */
function requireComplete<T extends { readonly status: string }>(run: T): T {
  fieldOf(run, 'id');
  if (fieldOf(run, 'status') !== 'pending') fieldOf(run, 'pass_rate');
  return run;
}
