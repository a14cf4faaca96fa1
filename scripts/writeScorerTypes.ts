import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SCORER_TYPES_FILE, scorerTypesSource } from './documents/scorerTypes.ts';
import { ROOT } from './run.ts';

/** The first half of `npm run docs`: documents are made of contracts, which read this file. */
writeFileSync(path.join(ROOT, SCORER_TYPES_FILE), scorerTypesSource());
