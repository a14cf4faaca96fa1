/** As promptfoo takes a text for a list: by commas, blanks around dropped; a quoted part may hold commas. */
export function commaSeparated(text: string): string[] | undefined {
  const parts: string[] = [];
  const pattern = /[\s,]*(?:"((?:[^"\\]|\\.|"")*)"\s*(?=,|$)|([^,"\s][^,]*)|$)/sy;
  while (pattern.lastIndex < text.length) {
    const [, quoted, plain] = pattern.exec(text) ?? [];
    if (quoted !== undefined) parts.push(quoted.replace(/\\(["\\])|""/g, (_, escaped = '"') => escaped));
    else if (plain !== undefined) parts.push(plain.trim());
    else if (pattern.lastIndex === 0) return undefined;
  }
  return parts;
}
