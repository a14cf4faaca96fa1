import { type Html, html } from './html.ts';

/** The part of Markdown that the document's descriptions use: paragraphs, headings of the second level, `code`. */
export const prose = (markdown: string): Html[] =>
  markdown
    .split(/\n{2,}/)
    .map((block) =>
      block.startsWith('## ') ? heading(block.slice(3)) : html`<p>${inline(block.replaceAll('\n', ' '))}</p>`,
    );

/** `guide-the-first-gate` */
export const anchorOf = (title: string): string =>
  `guide-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;

export const headingsIn = (markdown: string): string[] =>
  [...markdown.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);

const heading = (title: string): Html => html`<h2 id="${anchorOf(title)}">${inline(title)}</h2>`;

/** Every other piece between backquotes is code. */
export const inline = (text: string): Html[] =>
  text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
