/**
 * The tolerance for rounding, as a share of the threshold. Doubles err by some 1e-16; a threshold that is no decimal, such as
 * two thirds, may be written with twelve digits. No weight and no score that could be meant is so small.
 */
const TOLERANCE = 1e-11;

/** The smallest value that reaches a threshold. A threshold of 1 has no tolerance. */
export function floorOf(bar: number): number {
  return bar >= 1 ? bar : bar * (1 - TOLERANCE);
}

export function reaches(value: number, bar: number): boolean {
  return value >= floorOf(bar);
}
