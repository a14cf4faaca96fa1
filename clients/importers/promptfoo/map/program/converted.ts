import type { Value } from './scope.ts';

/** What a function of JavaScript makes of a value. */
export function converted(name: string, of: Value | undefined): Value | undefined {
  if (of === undefined) return undefined;
  if (name === 'parseInt') return { kind: 'number', of, isComplete: true };
  if (name === 'parseFloat' || name === 'Number') return { kind: 'number', of, isComplete: false };
  if (name !== 'String') return undefined;
  return of.kind === 'text' ? of : { kind: 'string', of };
}

/** What a method without arguments makes of it. */
export function changed(method: string, of: Value | undefined): Value | undefined {
  const isLower = method === 'toLowerCase';
  if (of?.kind === 'text') {
    if (isLower) return { ...of, isLower };
    if (method === 'trim') return { ...of, isTrimmed: true };
    return method === 'toString' ? of : undefined;
  }
  return of?.kind === 'json' && isLower ? { ...of, isLower } : undefined;
}
