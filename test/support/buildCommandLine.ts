import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleCommandLine } from '../../clients/npm/contents.ts';

/** Bundles the command line, as the package has it, into the folder that is named. */
const [folder = ''] = process.argv.slice(2);
await bundleCommandLine(folder);
writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
