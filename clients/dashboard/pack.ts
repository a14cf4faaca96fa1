import { buildDashboard } from './build.ts';

/** Writes the files to stdout, as a JSON object of their bytes in base64, by name. */
const files = [...(await buildDashboard())].map(([name, bytes]) => [
  name,
  Buffer.from(bytes).toString('base64'),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(files)));
