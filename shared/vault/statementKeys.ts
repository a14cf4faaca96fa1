import type { StatementJwk } from '../contracts/statements.ts';
import type { SigningKeys } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import type { SigningKeysConfig } from '../runtime/config.ts';
import { STATEMENT_KEYS } from './publicJwk.ts';
import { signingKeys } from './signingKeys.ts';

/** Undefined where the deployment has none. */
export const statementKeys = (
  config: SigningKeysConfig | undefined,
): (() => Promise<SigningKeys<StatementJwk> | undefined>) =>
  lazily(async () => config && signingKeys(config, STATEMENT_KEYS));
