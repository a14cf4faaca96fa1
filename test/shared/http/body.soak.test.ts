import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

describe('reading a body', () => {
  const memory = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];
  // Optimized at once: on another thread, a busy machine would do it after what is measured.
  const optimizing = ['--no-concurrent-recompilation', '--no-concurrent-osr'];
  const flags = [...memory, ...optimizing];
  const script = path.join(import.meta.dirname, 'bodyCosts.ts');
  const costs: { title: string; time: number; memory: number }[] = JSON.parse(
    execFileSync(process.execPath, [...flags, '--disable-warning=ExperimentalWarning', script], {
      encoding: 'utf8',
    }),
  );

  test.each(costs.map((cost) => [cost.title, cost] as const))(
    'of %s takes at most three times the processor time and memory of JSON.parse',
    (_, { time, memory }) => {
      expect(time).toBeLessThanOrEqual(3);
      expect(memory).toBeLessThanOrEqual(3);
    },
  );
});
