import { Document, isScalar, Scalar, visit } from 'yaml';

/** What a terminal, a runner or a reader of a review would take for something else. */
const HIDDEN = /[\u007f-\u009f\u2028\u2029]|(?![\u00ad\u200c\u200d])\p{Cf}/u;
const COMMAND = /::|##\[/;

/** A document of YAML that is read as the same value, and shows what it holds. */
export function yamlText(value: unknown, head: string): string {
  const document = new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false });
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
  document.commentBefore = ` ${head}`;
  const text = document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY });
  return text.replaceAll('##[', '#\\x23[').replace(new RegExp(HIDDEN, 'gu'), inDigits);
}

/** As it stands between double quotes. */
function inDigits(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}
