/** By the letter after a backslash, where JavaScript knows no such escape: what to write for what it means elsewhere. */
export const INSTEAD: Readonly<Record<string, string>> = {
  A: 'write ^, without the flag m',
  Z: 'write $, without the flag m',
  z: 'write $, without the flag m',
  G: 'write ^',
  Q: 'leave \\Q and \\E out, and write a backslash before each of \\ ^ $ . * + ? ( ) [ ] { } |',
  E: 'leave \\Q and \\E out, and write a backslash before each of \\ ^ $ . * + ? ( ) [ ] { } |',
  K: 'write the text before it as (?<=…)',
  h: 'write [ \\t]',
  H: 'write [^ \\t]',
  R: 'write \\r?\\n',
  N: 'write [^\\n], or the character itself',
  V: 'write [^\\n\\v\\f\\r]',
  X: 'write what a character is made of',
  C: 'write [^]',
  e: 'write \\x1b',
  a: 'write \\x07',
  B: 'leave it out of the class',
  o: 'write \\x and two hexadecimal digits',
  x: 'write two hexadecimal digits, such as \\x41',
  c: 'write \\x and two hexadecimal digits, or two backslashes',
  g: 'write \\1 for what the first group matched, or \\k<name>',
  k: 'no group has a name: write one as (?<name>…)',
  y: 'write \\b',
  m: 'write \\b',
  M: 'write \\b',
  Y: 'write \\B',
};

/** Outside of classes, by the character after a backslash: what some engines read otherwise, and what to write. */
export const OF_TWO_MEANINGS: Readonly<Record<string, string>> = {
  '<': '< here, and the beginning of a word elsewhere: write <, or \\b',
  '>': '> here, and the end of a word elsewhere: write >, or \\b',
  v: 'the vertical tab here, and any line break elsewhere: write \\x0b, or [\\n\\v\\f\\r]',
};

/** What stands within brackets for a class of POSIX. */
export const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};
