import { Marked, type Tokens } from 'marked';
import { framed } from './frame.ts';
import { Html, html } from './html.ts';

export interface Guide {
  /** Of its file, without the ending. */
  readonly name: string;
  readonly markdown: string;
}

/** A picture as a `data:` address: the page loads nothing else. Undefined where there is none. */
export type PictureOf = (file: string) => string | undefined;

/** As GitHub makes anchors of headings. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

const GUIDE = /^([\w-]+)\.md(?:#(.*))?$/;

/** Where a link of a guide leads on this page; undefined for a file of the repository. */
function targetOf(name: string, href: string): string | undefined {
  if (href.startsWith('https://')) return href;
  if (href.startsWith('#')) return `#${name}--${href.slice(1)}`;
  const [, guide, anchor] = GUIDE.exec(href) ?? [];
  return guide && (anchor ? `#${guide}--${anchor}` : `#${guide}`);
}

/** The title of a guide, and its headings of the second level. */
interface Outline {
  title: string;
  readonly headings: { readonly id: string; readonly text: string }[];
}

function rendered({ name, markdown }: Guide, pictureOf: PictureOf): { outline: Outline; body: Html } {
  const outline: Outline = { title: name, headings: [] };
  const marked = new Marked({ async: false });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
        const id = depth === 1 ? name : `${name}--${slugOf(plain)}`;
        if (depth === 1) outline.title = plain;
        if (depth === 2) outline.headings.push({ id, text: plain });
        return `<h${depth + 1} id="${id}">${this.parser.parseInline(tokens)}</h${depth + 1}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const target = targetOf(name, href);
        const text = this.parser.parseInline(tokens);
        return target === undefined ? text : html`<a href="${target}">${new Html(text)}</a>`.text;
      },
      image({ href, text }: Tokens.Image) {
        const source = pictureOf(href);
        return source === undefined ? html`${text}`.text : html`<img src="${source}" alt="${text}">`.text;
      },
      /** A table's corner without a word is no heading. */
      tablecell({ header, text, tokens }: Tokens.TableCell) {
        const tag = header && text !== '' ? 'th' : 'td';
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>\n`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.text,
    },
  });
  return { outline, body: new Html(marked.parse(markdown) as string) };
}

/** All guides as one page. */
export function guidesPage(guides: readonly Guide[], pictureOf: PictureOf): string {
  const parts = guides.map((guide) => ({ name: guide.name, ...rendered(guide, pictureOf) }));
  const contents = parts.map(
    ({ name, outline: { title, headings } }) => html`<h2><a href="#${name}">${title}</a></h2>
<ul>
${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>
`,
  );
  const main = html`<h1>Guides</h1>
<p>What requests and answers hold is in the <a href="/docs">documentation of the API</a>.</p>
${parts.map(({ name, body }) => html`<section aria-labelledby="${name}">\n${body}</section>\n`)}`;
  return framed({ title: 'evalgate guides', contents: html`${contents}`, main });
}
