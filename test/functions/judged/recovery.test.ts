import { test } from '@jest/globals';
import { verdict } from '../../support/providers.ts';
import { startStage } from '../../support/stage.ts';
import { expectComplete, interrupted } from './interrupted.ts';

/** That no case is asked about more than 4 times, however often its evaluator dies, is held by test/faults and in `npm run soak`. */
test('kill -9 amid four judged runs: after a restart all end, each case once, each run counted once', async () => {
  const stage = await startStage();
  const sent = await interrupted(stage);
  stage.providers.always('all', verdict());
  await stage.restart('SIGKILL');
  for (const { gate, id } of sent) await expectComplete(stage, gate, id);
  await stage.stop();
});
