import { createHash } from 'node:crypto';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes everything that is put into a page, for text and for quoted attributes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

export const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0 }
main { max-width: 34rem; margin: 3rem auto; padding: 0 1rem }
`;

export interface HtmlPage {
  readonly title: string;
  readonly content: string;
  readonly style?: string;
  /** The targets of forms, with the redirects after them. Left out: the page has no forms. */
  readonly formAction?: string;
  readonly referrerPolicy?: 'no-referrer' | 'same-origin';
}

/** A page without scripts and without requests to other hosts, which can't be framed. */
export function htmlPage({ title, content, style = '', ...rules }: HtmlPage) {
  const styles = STYLE + style;
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – evalgate</title>
<style>${styles}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;
  return { headers: headersOf(styles, rules), body };
}

function headersOf(
  styles: string,
  { formAction = "'none'", referrerPolicy = 'no-referrer' }: Omit<HtmlPage, 'title' | 'content' | 'style'>,
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${formAction}`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    'referrer-policy': referrerPolicy,
    'x-content-type-options': 'nosniff',
  };
}
