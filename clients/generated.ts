import { documentText } from './api/document.ts';

/** What is generated for clients, by its path from the repository's root. It is committed, and a test compares it. */
export const generated: Readonly<Record<string, () => string>> = {
  'clients/pages/openapi.json': documentText,
};
