/**
 * Names, reasons and outputs come from models and strangers. Each function makes such a text harmless in one place, and
 * is applied to the whole of it.
 */

/** Soft hyphens, joiners and non-joiners belong to words. */
const isPartOfWord = (character: string): boolean => ['\u00ad', '\u200c', '\u200d'].includes(character);

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;

/** U+202E as it is named. */
const named = (character: string): string =>
  `⟨U+${codePoint(character).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** The picture of a control character of ASCII, such as ␛; the name of any other. */
function picture(character: string): string {
  const code = codePoint(character);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : named(character);
}

/** Without what moves the cursor, colours, hides, reverses or breaks a text: each such character is shown instead. */
function visible(text: string, kept = ''): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      kept.includes(character) || isPartOfWord(character) ? character : picture(character),
    );
}

const LINES = '\n\t';
const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

/** One line of a terminal. */
export const terminalLine = (text: string): string => visible(text);

/** A text of several lines for a terminal. */
export const terminalText = (text: string): string => visible(withLineFeeds(text), LINES);

/** What a GitHub runner prints: it obeys `::…` at the begin of a line, and `##[…]` anywhere, in stderr, too. */
export const runnerLog = (text: string): string =>
  text.replaceAll('##[', '# #[').replace(/^([\s\u0085]*)::/gm, '$1: :');

const reference = (character: string): string => `&#${codePoint(character)};`;

/** Behind these, programs that look for addresses in a text find one. */
const BREAKS = '@:.#';

/**
 * Foreign words in a line of Markdown. References keep them from being Markdown or HTML, `<code>` from being a mention
 * or a link to an issue, and `<wbr>` from being an address.
 */
export function markdownInline(text: string): string {
  const harmless = visible(text).replace(/[^\p{L}\p{N} ]/gu, (character) =>
    BREAKS.includes(character) ? `${reference(character)}<wbr>` : reference(character),
  );
  return `<code>${harmless}</code>`;
}

const MARKUP: ReadonlyMap<string, string> = new Map(
  Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }),
);
const withoutMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => MARKUP.get(character) ?? '');

/** Foreign lines in Markdown, where nothing is Markdown until the block ends. */
export const markdownBlock = (text: string): string =>
  `<pre>\n${withoutMarkup(visible(withLineFeeds(text), LINES))}\n</pre>`;

const percent = (text: string, escaped: RegExp): string =>
  text.replace(
    escaped,
    (character) => `%${codePoint(character).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** The message of a workflow command; GitHub shows its lines. */
export const commandMessage = (text: string): string =>
  percent(visible(withLineFeeds(text), LINES), /[%\r\n]/g);

/** A property of a workflow command. */
export const commandProperty = (text: string): string => percent(visible(text), /[%\r\n:,]/g);

/** Text that XML 1.0 takes: it has no way to write some characters. */
export const xmlText = (text: string): string =>
  withoutMarkup(visible(withLineFeeds(text), LINES).replace(/[\ufffe\uffff]/g, named));

/** A parser makes blanks of line ends that are not references. */
export const xmlAttribute = (text: string): string => xmlText(text).replace(/[\n\t]/g, reference);

/** A word of a command that is to be pasted: names may hold anything that a shell would run. `<…>` is to be filled in. */
export const shellWord = (text: string): string =>
  /^(?:[\w./@:+-]+|<[a-z]+>)$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** JSON that a terminal and a runner print as it is, and that a parser reads as the same value. */
export function safeJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent).replaceAll('##[', '#\\u0023[');
  const isLayout = (character: string): boolean => character === '\n';
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    isLayout(character) ? character : inUnits(character),
  );
}

/** `\uXXXX` for each UTF-16 unit. */
const inUnits = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
