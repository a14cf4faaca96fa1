/** Where the string that begins here is closed: at the next quote without an odd number of backslashes before it. */
export function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}

export const isNumberStart = (character: string): boolean =>
  character === '-' || (character >= '0' && character <= '9');

export function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && '0123456789+-.eE'.includes(json.charAt(at))) at++;
  return at;
}

/** One way of writing each decimal number, without its sign. */
export function decimalOf(written: string): string {
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
