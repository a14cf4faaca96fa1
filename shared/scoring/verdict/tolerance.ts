/**
 * What rounding may take from a bar, as a share of it. Doubles miss by some 1e-16; a bar that is no decimal, such as
 * two thirds, may be written with twelve digits. No weight and no score that could be meant is so small.
 */
const TOLERANCE = 1e-11;

/** What is enough for a bar. Nothing rounds to a bar of 1 except 1: there it is all or not enough. */
export function floorOf(bar: number): number {
  return bar >= 1 ? bar : bar * (1 - TOLERANCE);
}

export function reaches(value: number, bar: number): boolean {
  return value >= floorOf(bar);
}
