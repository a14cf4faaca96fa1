import { type Html, html } from './html.ts';

interface Framed {
  readonly title: string;
  /** With a list of links for each heading: what the search looks through. */
  readonly contents: Html;
  readonly main: Html;
}

/** A page of the documentation. It is complete without its script, so that the browser's own search finds all of it. */
export const framed = ({ title, contents, main }: Framed): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs.css">
<script src="/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents">
${contents}</nav>
<main id="content">
${main}
</main>
</body>
</html>
`.text;
