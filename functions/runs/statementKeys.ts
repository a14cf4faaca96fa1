import { getStatementKeys } from '../../shared/contracts/statements.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readStatements } from '../../shared/runtime/statementsConfig.ts';
import { statementKeys } from '../../shared/vault/statementKeys.ts';

/** A key is announced here before it signs. */
const CACHE = { 'cache-control': 'public, max-age=300' };

export const handler = endpoint(getStatementKeys, {
  dependencies: ({ config: { variables } }) => ({ keys: statementKeys(readStatements(variables)) }),
  handle: async (_, { keys }) => ({
    status: 200,
    headers: CACHE,
    body: { keys: [...((await (await keys())?.publicKeys()) ?? [])] },
  }),
});
