import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tryInVain } from '../../../bench/scale/seats/apart.ts';
import { SeatsStage } from '../../../bench/scale/seats/stage.ts';
import { secondsToVerdict } from '../../../bench/scale/seats/verdicts.ts';
import { inVirtualTime } from '../../../bench/scale/virtualTime.ts';
import type { Provider } from '../../../shared/domain/byok/providers.ts';
import '../../support/seed.ts';

/** A chunk that no function wakes comes back after two to four minutes. */
const MESSAGE_SECONDS = 120;

const JUDGES: readonly (readonly Provider[])[] = [['openai'], ['anthropic'], ['openai', 'anthropic']];
const runs = fc.array(
  fc.record({
    judges: fc.constantFrom(...JUDGES),
    cases: fc.integer({ min: 1, max: 5 }),
    isTried: fc.boolean(),
  }),
  { minLength: 3, maxLength: 12 },
);
const speed = fc.constantFrom([20, 60] as const, [300, 900] as const, [1_500, 4_500] as const);

test('for any small runs at once, of one or two judges, new or tried before, none waits for a seat that is free', async () => {
  const holds = fc.asyncProperty(runs, speed, fc.nat(1_000), async (wanted, callMs, seed) => {
    const seconds = await inVirtualTime('small runs at once', seed, async (sim) => {
      const stage = new SeatsStage(sim, { callMs });
      const tenant = await stage.tenant(1);
      const verdicts = wanted.map(async ({ judges, cases, isTried }) => {
        const messages = await stage.run({ ...tenant, cases }, { providers: judges });
        if (isTried) for (const message of messages) await tryInVain(stage, message);
        void stage.queue.send(messages);
        return secondsToVerdict(stage, messages);
      });
      return Promise.all(verdicts);
    });
    // All runs one after the other would take less.
    expect(Math.max(...seconds)).toBeLessThan(MESSAGE_SECONDS / 2);
  });
  await fc.assert(holds, { numRuns: 40 });
});
