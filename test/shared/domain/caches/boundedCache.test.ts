import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BoundedCache } from '../../../../shared/domain/caches/boundedCache.ts';

const MAX = 10;

/** The definition, in the slowest way: what was used last, newest first, as far as it fits. */
class Model {
  used: { key: string; value: number }[] = [];

  get(key: string): number | undefined {
    const found = this.used.find((entry) => entry.key === key);
    if (found !== undefined) this.used = [found, ...this.used.filter((entry) => entry !== found)];
    return found?.value;
  }

  set(key: string, value: number): void {
    this.delete(key);
    if (value > MAX) return;
    this.used.unshift({ key, value });
    while (this.used.reduce((sum, entry) => sum + entry.value, 0) > MAX) this.used.pop();
  }

  delete(key: string): void {
    this.used = this.used.filter((entry) => entry.key !== key);
  }
}

const anyStep = fc.record({
  act: fc.constantFrom('get', 'set', 'delete'),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  value: fc.nat({ max: MAX + 2 }),
});

test('what was used last is kept, as far as it fits, after any steps', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const [cache, model] = [
        new BoundedCache<number>({ maxSize: MAX, sizeOf: (value) => value }),
        new Model(),
      ];
      for (const { act, key, value } of steps) {
        if (act === 'get') expect(cache.get(key)).toBe(model.get(key));
        else if (act === 'set') for (const one of [cache, model]) one.set(key, value);
        else for (const one of [cache, model]) one.delete(key);
      }
      for (const key of ['a', 'b', 'c', 'd']) {
        expect(cache.get(key)).toBe(model.used.find((entry) => entry.key === key)?.value);
      }
    }),
  );
});

test('without sizes it holds so many entries', () => {
  const cache = new BoundedCache<string>({ maxSize: 2 });
  for (const key of ['a', 'b', 'c']) cache.set(key, key);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 'b', 'c']);
});
