import type { Fault } from '../../contracts/gates.ts';

const SERVICE: ReadonlySet<Fault> = new Set(['service']);
const ALL_BUT_BAR: ReadonlySet<Fault> = new Set(['service', 'candidate']);

/**
 * Whose doing it is that something does not hold, by what would hold without the doing of some. It is the service's only
 * where it would hold without what the service did: nothing else may be excused.
 */
export function faultOf(holdsWithout: (faults: ReadonlySet<Fault>) => boolean): Fault {
  if (holdsWithout(SERVICE)) return 'service';
  return holdsWithout(ALL_BUT_BAR) ? 'candidate' : 'bar';
}
