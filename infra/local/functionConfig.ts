import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { StartupError } from './startupError.ts';

/** What the functions would refuse at their first request is refused here, before anything is started. */
export function checkFunctionConfig(environment: NodeJS.ProcessEnv): void {
  try {
    readConfig({ ...environment, TABLE_NAME: 'evalgate' });
    judgeSettingsFromEnv(environment);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new StartupError(`${said.replace(/\s*\n\s*/g, ' ')}.`);
  }
}
