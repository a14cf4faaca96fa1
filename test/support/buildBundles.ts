import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleFunctions } from '../../infra/aws/bundle/bundle.ts';

/** Bundles every function into the folder that is named, and lists the bundles in a file there. */
const [folder = ''] = process.argv.slice(2);
const bundles = await bundleFunctions(folder);
const listed = [...bundles.values()].map(({ eager, lazy, ...bundle }) => ({
  ...bundle,
  eager: [...eager],
  lazy: [...lazy],
}));
writeFileSync(path.join(folder, 'bundles.json'), JSON.stringify(listed));
