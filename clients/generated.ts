import { documentText, openApiDocument } from './api/document.ts';
import { docsPage } from './docs/page.ts';

/** What is generated for clients, by its path from the repository's root. It is committed, and a test compares it. */
export const generated: Readonly<Record<string, () => string>> = {
  'clients/pages/openapi.json': documentText,
  'clients/pages/docs.html': () => docsPage(openApiDocument()),
};
