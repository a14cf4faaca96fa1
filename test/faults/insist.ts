import { Violation } from './simulation.ts';

export function insist(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Violation(what);
}
