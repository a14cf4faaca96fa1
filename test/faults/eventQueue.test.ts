import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Event, EventQueue } from './eventQueue.ts';

test('events are taken by their moments, those of one moment in the order in which they came', () => {
  const step = fc.option(fc.nat(5), { nil: null });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new EventQueue();
      const expected: Event[] = [];
      steps.forEach((atMs, order) => {
        if (atMs === null) {
          expect(queue.take()).toBe(expected.shift());
          return;
        }
        const event = { atMs, order, label: '', act: () => {} };
        queue.add(event);
        expected.push(event);
        expected.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
      });
      for (const event of [...expected, undefined]) expect(queue.take()).toBe(event);
    }),
  );
});
