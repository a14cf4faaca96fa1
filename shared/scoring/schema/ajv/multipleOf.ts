/** By the decimal figures as they are written: in binary, 19.99 / 0.01 is 1998.9999999999998. */
export function isMultipleOf(factor: number, value: number): boolean {
  if (factor === 0 || !Number.isFinite(value)) return false;
  if (Number.isSafeInteger(factor) && Number.isSafeInteger(value)) return value % factor === 0;
  const [a, b] = [decimalOf(value), decimalOf(factor)];
  const exponent = Math.min(a.exponent, b.exponent);
  return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [integer = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(integer + fraction), exponent: Number(exponent) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
