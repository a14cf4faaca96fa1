import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY_DIR } from '../support/processes.ts';

export interface Page {
  /** From the repository's root. */
  readonly file: string;
  readonly text: string;
}

export const readPage = (file: string): Page => ({
  file,
  text: readFileSync(path.join(REPOSITORY_DIR, file), 'utf8'),
});

const inDocs = readdirSync(path.join(REPOSITORY_DIR, 'docs')).filter((name) => name.endsWith('.md'));

/** The README first: what its examples make is there for the others'. */
export const pages: readonly Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...inDocs.map((name) => `docs/${name}`),
].map(readPage);

/** The contents of a page's fenced blocks of one language, in order. */
export const blocksOf = ({ text }: Page, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** As GitHub makes anchors of headings. */
export const anchorsOf = ({ text }: Page): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Where a page's links lead, but for those to other sites. */
export const linksOf = ({ text }: Page): string[] =>
  [
    ...withoutBlocks(text)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target));
