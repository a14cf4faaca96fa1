import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportsAlone, findingsOfBareQueue, synthesize } from './synthesize.ts';
import { all, CHECKED, type Probes } from './synthesized.ts';

/** Writes what synthesized.ts reads into the folder that is named. */
const [folder = ''] = process.argv.slice(2);
const write = (name: string, value: unknown): void =>
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(value));
for (const [name, environment] of all) write(name, synthesize(environment, { isChecked: CHECKED.has(name) }));
write('probes', {
  findingsOfBareQueue: findingsOfBareQueue(),
  exportsAlone: exportsAlone(),
} satisfies Probes);
