import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Gauge, inVirtualTime, percentile, poisson } from '../../../bench/scale/virtualTime.ts';
import type { Simulation } from '../../faults/simulation.ts';

const play = <T>(work: (sim: Simulation) => Promise<T>): Promise<T> => inVirtualTime('virtual time', 1, work);

test('arrivals come at their rate for their time, and the same seed gives the same ones', async () => {
  const arrivalsMs = () =>
    play((sim) => poisson(sim, { perSecond: 50, seconds: 100 }, async () => sim.elapsedMs));
  const moments = await arrivalsMs();
  expect(moments.length).toBeGreaterThan(4_700);
  expect(moments.length).toBeLessThan(5_300);
  expect(moments.at(-1)).toBeLessThanOrEqual(100_000);
  expect(await arrivalsMs()).toEqual(moments);
});

test('an arrival does not wait for the one before, and all of them are waited for', () =>
  play(async (sim) => {
    const gauge = new Gauge(sim);
    const ends = await poisson(sim, { perSecond: 100, seconds: 1 }, (index) =>
      gauge.during(async () => {
        await sim.sleep(5_000);
        return index;
      }),
    );
    expect(ends).toEqual(ends.map((_, index) => index));
    expect([gauge.now, gauge.most]).toEqual([0, ends.length]);
  }));

test('a gauge knows the most and the mean over its time', () =>
  play(async (sim) => {
    const gauge = new Gauge(sim);
    gauge.add(4);
    await sim.sleep(1_000);
    gauge.add(-4);
    await sim.sleep(3_000);
    expect([gauge.now, gauge.most, gauge.mean]).toEqual([0, 4, 1]);
  }));

test('work that fails, and work that waits for nothing, end the model', async () => {
  const fails = async (sim: Simulation) => {
    await sim.sleep(10);
    throw new Error('as expected');
  };
  await expect(play(fails)).rejects.toThrow('as expected');
  await expect(play(() => new Promise(() => {}))).rejects.toThrow('stands still');
});

test('a percentile is a value that was there, which the given part does not exceed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(50), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (values, part) => {
        const value = percentile(values, part);
        const within = values.filter((one) => one <= value).length;
        const below = values.filter((one) => one < value).length;
        expect(values).toContain(value);
        expect(within).toBeGreaterThanOrEqual(part * values.length);
        expect(below).toBeLessThan(Math.max(1, part * values.length));
      },
    ),
  );
  expect(percentile([], 0.5)).toBeNaN();
});
