const COMMAND = 'npm run docs';

const opening = (name: string): string => `<!-- ${name}: written by ${COMMAND} -->`;
const closing = (name: string): string => `<!-- /${name} -->`;

/** Replaces what stands between a page's markers, such as `<!-- rights: written by npm run docs -->` and `<!-- /rights -->`. */
export function withSections(page: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce((text, [name, section]) => {
    const [before, after] = [text.indexOf(opening(name)), text.indexOf(closing(name))];
    if (before < 0 || after < before) throw new Error(`A page needs the markers of its section "${name}"`);
    return `${text.slice(0, before + opening(name).length)}\n\n${section}\n\n${text.slice(after)}`;
  }, page);
}

/** What is written by hand: the page without the contents of its sections. */
export const byHand = (page: string): string =>
  page.replaceAll(new RegExp(`(<!-- (\\w+): written by ${COMMAND} -->)[^]*?(<!-- /\\2 -->)`, 'g'), '$1\n$3');
