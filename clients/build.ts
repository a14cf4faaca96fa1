import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generated } from './generated.ts';

/** `npm run clients`: writes what is generated for clients. */
const root = path.resolve(import.meta.dirname, '..');
for (const [file, text] of Object.entries(generated)) writeFileSync(path.join(root, file), text());
