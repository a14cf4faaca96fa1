import { getStatement } from '../../shared/contracts/statements.ts';
import { statementOf } from '../../shared/domain/statements/statement.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readIssuers } from '../../shared/runtime/issuersConfig.ts';
import { readStatements } from '../../shared/runtime/statementsConfig.ts';
import { runReader } from '../../shared/storage/runs/runReader.ts';
import { placeReader } from '../../shared/storage/suites/places.ts';
import { projectReader } from '../../shared/storage/suites/readers/projectReader.ts';
import { statementKeys } from '../../shared/vault/statementKeys.ts';

export const handler = endpoint(getStatement, {
  stores: { projects: projectReader, runs: runReader, places: placeReader },
  dependencies: ({ config: { tokenIssuer, variables } }) => ({
    issuer: tokenIssuer,
    githubIssuer: readIssuers(variables).githubOidcIssuer,
    keys: statementKeys(readStatements(variables)),
  }),
  handle: async ({ principal, params }, deps) => ({
    status: 200,
    body: await statementOf(
      {
        ...deps,
        suiteSlug: async (orgId, suiteId) => {
          const [place] = await deps.places(orgId, [suiteId]);
          return place?.id === suiteId ? place.slug : undefined;
        },
      },
      principal,
      params.runId,
    ),
  }),
  runOf: ({ params }) => params.runId,
});
