import type { Condition } from './checks.ts';

/** All of them, or any, without what is always so. */
export function joined(kind: 'all' | 'any', conditions: readonly Condition[]): Condition {
  const neutral = kind === 'all';
  const flat = conditions.flatMap((one): readonly Condition[] => {
    if (kind === 'all') return 'all' in one ? one.all : [one];
    return 'any' in one ? one.any : [one];
  });
  if (flat.some((one) => 'always' in one && one.always !== neutral)) return { always: !neutral };
  const left = flat.filter((one) => !('always' in one));
  if (left.length < 2) return left[0] ?? { always: neutral };
  return kind === 'all' ? { all: left } : { any: left };
}

export function negated(condition: Condition): Condition {
  if ('not' in condition) return condition.not;
  return 'always' in condition ? { always: !condition.always } : { not: condition };
}
