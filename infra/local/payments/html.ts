import { createHash } from 'node:crypto';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Everything that is put into a page goes through here, for text and for quoted attributes alike. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0 }
main { max-width: 34rem; margin: 3rem auto; padding: 0 1rem }
.simulated { border: 1px solid #8a6d00; background: #fff8dc; padding: .5rem 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { font-weight: bold }
dd { margin: 0 }
button { font: inherit; padding: .5rem 1rem; margin: 0 .5rem .5rem 0; border: 1px solid #0b4f9e; background: #0b4f9e; color: #fff; cursor: pointer }
button.plain { background: #fff; color: #0b4f9e }
:focus-visible { outline: 3px solid #d98200; outline-offset: 2px }
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
  // Not 'self': a browser holds every redirect after a form to this, and paying ends at the caller's success_url.
  'form-action http: https:',
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  // Not no-referrer, under which a browser sends the form with "Origin: null".
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** `title` is text, `content` is HTML. */
export function htmlPage(
  statusCode: number,
  title: string,
  content: string,
): APIGatewayProxyStructuredResultV2 {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – evalgate</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p class="simulated">This payment provider is simulated: no card is asked for and no money moves.</p>
${content}
</main>
</body>
</html>
`;
  return { statusCode, headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' }, body };
}

/** 303: the browser goes on with GET. */
export function redirect(location: string): APIGatewayProxyStructuredResultV2 {
  return { statusCode: 303, headers: { ...HEADERS, location } };
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
