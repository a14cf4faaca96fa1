const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function toBase62(value: bigint, width = 1): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text.padStart(width, '0');
}

/** Of characters of the alphabet only. */
export function fromBase62(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 62n + BigInt(ALPHABET.indexOf(character));
  return value;
}
