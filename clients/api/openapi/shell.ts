/** Any text as one word of sh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same, as it is where nothing in it means anything to sh. */
export const word = (text: string): string => (/^[\w./=-]+$/.test(text) ? text : quoted(text));
