import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { type Config, readConfig } from '../../shared/runtime/config.ts';
import { readIssuers } from '../../shared/runtime/issuersConfig.ts';
import { readPayments } from '../../shared/runtime/paymentsConfig.ts';
import { readStatements } from '../../shared/runtime/statementsConfig.ts';
import { StartupError } from './startupError.ts';

const OWN = /^(DYNAMODB|SQS|QUEUE|KMS|VAULT)_/;

/** Refuses at the start a configuration that the functions would refuse at their first request. */
export function checkFunctionConfig(environment: NodeJS.ProcessEnv): Config {
  // The service itself sets the engines' addresses. An empty variable counts as unset.
  const given = Object.entries(environment).filter(([name, value]) => value !== '' && !OWN.test(name));
  try {
    judgeSettingsFromEnv(environment);
    baseUrlFromEnv(environment);
    readPayments(environment);
    readIssuers(environment);
    readStatements(environment);
    return readConfig({ ...Object.fromEntries(given), TABLE_NAME: 'evalgate' });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartupError(`${onOneLine(message)}.`);
  }
}

const onOneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
