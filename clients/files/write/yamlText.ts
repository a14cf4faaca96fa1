import { Document, isMap, isScalar, isSeq, type Node, type Pair, Scalar, visit } from 'yaml';

/** What a terminal, a runner or a reader of a review would take for something else. */
const HIDDEN = /[\u007f-\u009f\u2028\u2029]|(?![\u00ad\u200c\u200d])\p{Cf}/u;
const COMMAND = /::|##\[/;

export const OPTIONS = { version: '1.2', schema: 'core' } as const;
const WRITING = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY };

/** Quotes what is read as something else without quotes, or hides what it is. */
function quoteHostile(document: Document): void {
  visit(document, {
    Scalar(_, scalar) {
      const text = scalar.value;
      if (typeof text === 'string' && (HIDDEN.test(text) || COMMAND.test(text)))
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
    // Without quotes a name of this form would merge another map.
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '<<') key.type = Scalar.QUOTE_DOUBLE;
    },
  });
}

/** The text of a document whose hidden characters all stand between double quotes. */
const hiddenInDigits = (text: string): string =>
  text.replaceAll('##[', '#\\x23[').replace(new RegExp(HIDDEN, 'gu'), inDigits);

/** A document of YAML that is read as the same value, and shows what it holds. `head`: its first lines, as a comment. */
export function yamlText(value: unknown, head?: string): string {
  const document = new Document(value, { ...OPTIONS, aliasDuplicateObjects: false });
  quoteHostile(document);
  if (head !== undefined) document.commentBefore = ` ${head}`;
  return hiddenInDigits(document.toString(WRITING));
}

const SHORT_MAX = 60;

interface EntryWriting {
  /** Between `{` and `}`, or `[` and `]`: in one line. */
  readonly isInFlow?: boolean | undefined;
  /** Its value is in such brackets. */
  readonly isValueInFlow?: boolean | undefined;
  /** The value is quoted like this one. */
  readonly like?: Scalar | undefined;
}

/** The text of a map of one field, or a list of one item, from column 0, without brackets around it and line end. */
export function entryText(
  entry: Readonly<Record<string, unknown>> | readonly [unknown],
  { isInFlow = false, isValueInFlow = false, like }: EntryWriting,
): string {
  const document = new Document(entry, { ...OPTIONS, aliasDuplicateObjects: false });
  const root = document.contents;
  const [item] = isMap(root) || isSeq(root) ? root.items : [];
  const value = isMap(root) ? (item as Pair).value : item;
  if (isValueInFlow && (isMap(value) || isSeq(value))) value.flow = true;
  if (isScalar(value) && typeof value.value === 'string' && isQuoted(like))
    value.type = like.type as Scalar.Type;
  visit(document, {
    Seq(_, list) {
      const isShort = list.items.every((one) => isScalar(one) && !String(one.value).includes('\n'));
      const isOne = list !== root && isShort;
      if (isOne && JSON.stringify(list.items.map((one) => (one as Scalar).value)).length < SHORT_MAX)
        list.flow = true;
    },
    Scalar(_, scalar) {
      const text = scalar.value;
      if (typeof text !== 'string') return;
      // A block scalar that ends with blank lines would take those behind it, too.
      const unquoted = isInFlow || isValueInFlow ? 0 : text.trimEnd().length + 1;
      if (text.includes('\n', unquoted)) scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  quoteHostile(document);
  if (isInFlow) (root as Node & { flow?: boolean }).flow = true;
  const text = hiddenInDigits(document.toString(WRITING)).slice(0, -1);
  return isInFlow ? text.slice('{ '.length, -' }'.length) : text;
}

const isQuoted = (like: Scalar | undefined): like is Scalar =>
  like?.type === Scalar.QUOTE_DOUBLE || like?.type === Scalar.QUOTE_SINGLE;

/** As it stands between double quotes. */
function inDigits(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
