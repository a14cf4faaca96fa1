/** Text that is HTML: nothing else gets into a page unescaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function printed(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(printed).join('');
  return String(part).replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

/** Markup with parts, which are escaped unless they are HTML. */
export const html = (markup: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(markup.map((piece, index) => piece + printed(parts[index])).join(''));
