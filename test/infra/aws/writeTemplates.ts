import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ENVIRONMENT_NAMES, environments } from '../../../infra/aws/environments.ts';
import { synthesize, type Templates } from './synthesized.ts';

/** Writes the templates of each environment into the folder that is named. */
const [folder = ''] = process.argv.slice(2);
for (const name of ENVIRONMENT_NAMES) {
  const { stacks, resources } = synthesize(environments[name]);
  const templates: Templates = { stacks: [...stacks], resources };
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(templates));
}
