import { expect, test } from '@jest/globals';
import { withoutWords } from '../../../../infra/aws/bundle/withoutWords.ts';

test('functions keep the schemas of fields, and lose the words for people', () => {
  const code = `const a = described(z.string().regex(/^[(é"]$/), { label: 'Länge (x)' }).default(described(b, { label: "B" }));`;
  expect(withoutWords(code)).toBe(`const a = described(z.string().regex(/^[(é"]$/)).default(described(b));`);
});
