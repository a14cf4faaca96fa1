/** A share of the bar. Doubles err by some 1e-16, and two thirds may be written with twelve digits. */
const TOLERANCE = 1e-11;

/** The smallest value that reaches a threshold. A threshold of 1 has no tolerance. */
export function floorOf(bar: number): number {
  return bar >= 1 ? bar : bar * (1 - TOLERANCE);
}

export function reaches(value: number, bar: number): boolean {
  return value >= floorOf(bar);
}

/** The same for a figure that has a greatest value, such as a sum of prices. */
export function staysWithin(value: number, max: number): boolean {
  return value <= max * (1 + TOLERANCE);
}
