import type { Environment } from '../../../clients/sdk/transport/environment.ts';
import { ownTime } from '../sdk/hostile.ts';
import type { FaultyProxy } from './faultyProxy.ts';

/** Time passes in pauses only, in which the service ends what it was sent, and in tries that get no answer. */
export function clockThrough(proxy: FaultyProxy): Pick<Environment, 'now' | 'sleep' | 'after'> {
  const time = ownTime();
  const { now, sleep, after } = time.environment;
  proxy.onSilence = time.expire;
  return {
    now,
    after,
    async sleep(ms, signal) {
      await sleep(ms, signal);
      await proxy.settled();
    },
  };
}
