import { expect, test } from '@jest/globals';
import { startSweeper } from '../../../../infra/local/queue/sweeper.ts';
import { eventually } from '../../../support/service.ts';

type Sweep = Parameters<typeof startSweeper>[0];
type SweepEvent = Parameters<Sweep>[0];

const detailsOf = (events: SweepEvent[]) => events.map(({ detail }) => detail);

test('the first sweep asks for every pending run, the later ones for those that are late', async () => {
  const events: SweepEvent[] = [];
  const sweeper = startSweeper(async (event) => void events.push(event), 1);
  await eventually(() => events.length >= 3);
  await sweeper.stop();
  expect(detailsOf(events).slice(0, 3)).toEqual([{ remindAfterMs: 0 }, {}, {}]);
  expect(events[0]).toMatchObject({ source: 'aws.events', 'detail-type': 'Scheduled Event' });
});

test('a first sweep that fails is made up for by the next one that does not', async () => {
  const events: SweepEvent[] = [];
  const sweep: Sweep = async (event) => {
    if (events.push(event) < 3) throw new Error('the table is out of reach');
  };
  const sweeper = startSweeper(sweep, 1);
  await eventually(() => events.length >= 4);
  await sweeper.stop();
  const every = { remindAfterMs: 0 };
  expect(detailsOf(events).slice(0, 4)).toEqual([every, every, every, {}]);
});

test('sweeps do not overlap, and stopping waits for the one under way', async () => {
  const gate = Promise.withResolvers<void>();
  let sweeps = 0;
  const sweeper = startSweeper(async () => {
    sweeps++;
    await gate.promise;
  }, 1);
  let stopped = false;
  const stopping = sweeper.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect({ sweeps, stopped }).toEqual({ sweeps: 1, stopped: false });
  gate.resolve();
  await stopping;
  expect(sweeps).toBe(1);
});
