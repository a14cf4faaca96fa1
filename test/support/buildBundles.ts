import { writeFileSync } from 'node:fs';
import { bundleFunctions } from '../../infra/aws/bundle/bundle.ts';

/** Bundles every function into the folder named first, and lists the bundles in the file named second, as JSON. */
const [folder = '', list = ''] = process.argv.slice(2);
const bundles = await bundleFunctions(folder);
const listed = [...bundles.values()].map(({ eager, lazy, ...bundle }) => ({
  ...bundle,
  eager: [...eager],
  lazy: [...lazy],
}));
writeFileSync(list, JSON.stringify(listed));
