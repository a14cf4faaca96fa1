import { readConfig } from '../../infra/local/config.ts';
import { makeKey } from '../../infra/local/data/newKey.ts';
import { StartupError } from '../../infra/local/startupError.ts';

/**
 * Makes an API key on the machine of the data folder, for an operator who has none any more, and stores it as `api-key`:
 * `node scripts/with-node.mjs --runtime scripts/restore/newKey.ts [<id of the organisation>]`. The service has to be stopped.
 */
try {
  process.stdout.write(`${await makeKey(readConfig(process.env), process.argv[2])}\n`);
} catch (error) {
  process.stderr.write(`evalgate: ${error instanceof StartupError ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
