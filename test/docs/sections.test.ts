import { expect, test } from '@jest/globals';
import { byHand, withSections } from '../../scripts/documents/sections.ts';

const PAGE = `# Page
<!-- one: written by npm run docs -->
old
<!-- /one -->
by hand
<!-- two: written by npm run docs -->
<!-- /two -->
`;

test('a section is replaced between its markers, whatever stood there, and nothing else is', () => {
  const written = withSections(PAGE, { one: 'new $&', two: 'second' });
  expect(written).toContain('<!-- one: written by npm run docs -->\n\nnew $&\n\n<!-- /one -->\nby hand\n');
  expect(written).not.toContain('old');
  expect(withSections(written, { one: 'new $&', two: 'second' })).toBe(written);
});

test('a page without the markers of a section is refused', () => {
  expect(() => withSections(PAGE, { three: '' })).toThrow('needs the markers of its section "three"');
});

test('what is written by hand leaves the sections out', () => {
  const written = withSections(PAGE, { one: 'a\nb\nc', two: 'd' });
  expect(byHand(written)).toBe(byHand(PAGE));
  expect(byHand(written)).toContain('by hand');
  expect(byHand(written)).not.toContain('b\nc');
});
