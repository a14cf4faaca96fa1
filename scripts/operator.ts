import { readConfig } from '../infra/local/config.ts';
import { operateOn } from '../infra/local/data/operator.ts';
import { StartupError } from '../infra/local/startupError.ts';
import { AppError } from '../shared/domain/errors.ts';

const USAGE = `evalgate: npm run operator -- create-organisation <name> [<plan>]
                            set-plan <organisation> <plan>
                            create-key [<organisation>]
`;

/** Undefined for what is no command: a misspelt option is no name of an organisation. */
function commandOf([command, ...given]: readonly string[]): object | undefined {
  if (given.some((word) => word.startsWith('-'))) return undefined;
  const [first, plan] = given;
  if (command === 'create-organisation' && given.length <= 2) return { command, name: first, plan };
  if (command === 'set-plan' && given.length === 2) return { command, organisation: first, plan };
  return command === 'create-key' && given.length <= 1 ? { command, organisation: first } : undefined;
}

/** Works on the data folder of this machine, while the service runs and while it is stopped. Writes JSON to stdout. */
const command = commandOf(process.argv.slice(2));
if (command === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
try {
  const done = await operateOn(readConfig(process.env), command);
  process.stdout.write(`${JSON.stringify(done, undefined, 2)}\n`);
} catch (error) {
  const isKnown = error instanceof StartupError || error instanceof AppError;
  process.stderr.write(`evalgate: ${isKnown ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
