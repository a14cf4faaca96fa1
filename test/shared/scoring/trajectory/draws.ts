import fc from 'fast-check';
import type { ModelConfig, ModelRequested } from './model.ts';

/** A call in the form in which it is sent. */
export interface SentCall {
  readonly type: 'call';
  readonly tool: string;
  readonly arguments?: object | string;
  readonly step: number;
  readonly error?: string;
}

const TOOLS = ['a', 'b', 'c'] as const;
const tool = fc.constantFrom(...TOOLS);
const members = fc.oneof(
  { weight: 3, arbitrary: fc.record({ k: fc.nat({ max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ k: fc.nat({ max: 1 }), l: fc.nat({ max: 1 }) }) },
);
const ofMembers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.record({ arguments_include: members }) },
  { weight: 1, arbitrary: fc.record({ arguments: members }) },
);
const counts = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ min: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ min: fc.nat({ max: 1 }), max: fc.integer({ min: 1, max: 3 }) }) },
);
const wanted: fc.Arbitrary<ModelRequested> = fc
  .tuple(tool, ofMembers, counts)
  .map(([name, condition, times]) => ({ tool: name, ...condition, ...times }));
const group = fc.array(wanted, { minLength: 2, maxLength: 3 });

/** Few tools and few arguments, so that expected calls overlap. */
export const drawnConfig: fc.Arbitrary<ModelConfig> = fc
  .record({
    order: fc.constantFrom('any_order' as const, 'in_order' as const),
    calls: fc.array(fc.oneof({ weight: 3, arbitrary: wanted }, { weight: 1, arbitrary: group }), {
      maxLength: 4,
    }),
    allow_extra: fc.oneof(fc.boolean(), fc.subarray([...TOOLS], { minLength: 1 })),
    count_failed: fc.boolean(),
  })
  .map((config) => ({
    ...config,
    calls: config.order === 'in_order' ? config.calls : config.calls.flat(),
  }));

/** Up to six calls, some of them at once. */
export const drawnCalls: fc.Arbitrary<SentCall[]> = fc
  .array(fc.tuple(tool, fc.oneof(members, fc.constant(undefined)), fc.nat({ max: 1 }), fc.nat({ max: 9 })), {
    maxLength: 6,
  })
  .map((drawn) => {
    let step = 0;
    return drawn.map(([name, args, ahead, luck]) => {
      step += ahead;
      return {
        type: 'call' as const,
        tool: name,
        step,
        ...(args && { arguments: args }),
        ...(luck === 0 && { error: 'timeout' }),
      };
    });
  });
