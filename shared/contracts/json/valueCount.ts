import { endOfString } from './jsonText.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * Whether a text, which has to be JSON, holds more values than so many. Of a text without strings the values take up to
 * thirty times its memory when they are read.
 */
export function holdsMoreValues(json: string, most: number): boolean {
  let behind = 0;
  for (let index = 0; index < json.length && behind <= most; index++) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = endOfString(json, index);
    else if (code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT) behind++;
  }
  return behind > most;
}
