import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { type Config, readConfig } from '../../shared/runtime/config.ts';
import { StartupError } from './startupError.ts';

const OWN = /^(DYNAMODB|SQS|QUEUE|KMS|VAULT)_/;

/** What the functions would refuse at their first request is refused here, before anything is started. */
export function checkFunctionConfig(environment: NodeJS.ProcessEnv): Config {
  // Where the engines are is the service's to say; a blank variable is one that is not set.
  const given = Object.entries(environment).filter(([name, value]) => value !== '' && !OWN.test(name));
  try {
    judgeSettingsFromEnv(environment);
    baseUrlFromEnv(environment);
    return readConfig({ ...Object.fromEntries(given), TABLE_NAME: 'evalgate' });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new StartupError(`${onOneLine(said)}.`);
  }
}

const onOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
