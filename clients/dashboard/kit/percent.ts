const DIGITS = 12;

/** A share as it is typed in percent. */
export const percentOf = (share: number): string => String(Number((share * 100).toPrecision(DIGITS)));
export const shareOf = (percent: string): number => Number((Number(percent) / 100).toPrecision(DIGITS));
