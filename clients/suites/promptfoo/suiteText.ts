import { Document, isScalar, Scalar, visit } from 'yaml';
import type { Imported } from './import.ts';

const HEAD = ' Imported from promptfoo: import-report.md says what is not the same.';

/** The file of a suite. */
export function suiteText({
  suite: { slug, name },
  scorers,
  cases,
}: Omit<Imported, 'outputs' | 'report'>): string {
  const document = new Document(
    {
      version: 1,
      suite: slug,
      ...(name === undefined ? {} : { name }),
      pass_threshold: 1,
      scorers: Object.fromEntries(scorers.map(({ key, ...scorer }) => [key, scorer])),
      cases,
    },
    { version: '1.2', schema: 'core', aliasDuplicateObjects: false },
  );
  // Without quotes a name of this form would merge another map.
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '<<') key.type = Scalar.QUOTE_DOUBLE;
    },
  });
  document.commentBefore = HEAD;
  return document.toString({ lineWidth: 0 });
}
