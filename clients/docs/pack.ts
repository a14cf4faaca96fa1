import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenApiDocument } from '../api/openapi/types.ts';
import { docsPage } from './page.ts';

const DOCUMENT = path.join(import.meta.dirname, '../pages/openapi.json');

/** Writes the page of `/docs` to stdout. */
process.stdout.write(docsPage(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApiDocument));
