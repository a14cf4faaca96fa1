import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Type and colour are the dashboard's. */
const SHEETS = ['../dashboard/styles/tokens.css', '../dashboard/styles/base.css', 'docs.css'];

/** Writes the style sheet of `/docs` to stdout. */
for (const sheet of SHEETS) process.stdout.write(readFileSync(path.join(import.meta.dirname, sheet), 'utf8'));
