import { Document, isScalar, type Node, Scalar, visit } from 'yaml';

/** What a terminal, a runner or a reader of a review would take for something else. */
export const HIDDEN = /[\u007f-\u009f\u2028\u2029]|(?![\u00ad\u200c\u200d])\p{Cf}/u;
const COMMAND = /::|##\[/;

export const OPTIONS = { version: '1.2', schema: 'core' } as const;

/** Quotes what is read as something else without quotes, or hides what it is. */
export function quoteHostile<T extends Node | Document>(node: T): T {
  visit(node, {
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
  return node;
}

/** The text of a document whose hidden characters all stand between double quotes. */
export const hiddenInDigits = (text: string): string =>
  text.replaceAll('##[', '#\\x23[').replace(new RegExp(HIDDEN, 'gu'), inDigits);

/** A document of YAML that is read as the same value, and shows what it holds. `head`: its first lines, as a comment. */
export function yamlText(value: unknown, head?: string): string {
  const document = new Document(value, { ...OPTIONS, aliasDuplicateObjects: false });
  quoteHostile(document);
  if (head !== undefined) document.commentBefore = ` ${head}`;
  return hiddenInDigits(
    document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY }),
  );
}

/** As it stands between double quotes. */
function inDigits(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
