import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { documents } from './documents/documents.ts';
import { ROOT } from './run.ts';

/** `npm run docs`: writes every generated document. */
for (const { file, text } of documents) writeFileSync(path.join(ROOT, file), text());
