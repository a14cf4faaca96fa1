import { parseArgs } from 'node:util';
import { createTable } from '../shared/storage/table/dynamoTable.ts';
import { restoreOrganisation } from './restore/restoreOrganisation.ts';

/** `node scripts/with-node.mjs scripts/restoreOrganisation.ts --from <table> --to <table> --organisation <id>` */
const USAGE = 'usage: restoreOrganisation.ts --from <restored table> --to <table> --organisation <id>';

const text = { type: 'string' } as const;
const { from, to, organisation } = parseArgs({
  options: { from: text, to: text, organisation: text },
}).values;
if (from === undefined || to === undefined || organisation === undefined) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}
const endpoint = process.env.DYNAMODB_ENDPOINT || undefined;
const open = (name: string) => createTable({ name, endpoint, now: Date.now });
const tables = { from: open(from), to: open(to), now: Date.now };
const { itemsBack, left } = await restoreOrganisation(tables, organisation);
const read = tables.from.consumed().read + tables.to.consumed().read;
for (const sentence of left) process.stdout.write(`${sentence}\n`);
process.stdout.write(
  `${itemsBack} items put back, with ${read} read and ${tables.to.consumed().write} write units\n`,
);
