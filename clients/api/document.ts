import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '../../shared/contracts/base/contract.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { pathOf } from './openapi/contractParts.ts';
import { errorMeanings } from './openapi/errorMeanings.ts';
import { operationOf } from './openapi/operations.ts';
import { COMPONENTS, componentSchema } from './openapi/schemas.ts';
import { tagOf, tags } from './openapi/tags.ts';
import type { Header, OpenApiDocument } from './openapi/types.ts';

const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, file), 'utf8');

const integer = (description: string): Header => ({ description, schema: { type: 'integer' } });
const text = (description: string): Header => ({ description, schema: { type: 'string' } });

/** By their names in the answers, which components refer to. */
const HEADERS: Readonly<Record<string, Header>> = {
  'RateLimit-Limit': integer('Requests in a window.'),
  'RateLimit-Remaining': integer('How many more would pass now.'),
  'RateLimit-Reset': integer(
    'Seconds, rounded up, until `RateLimit-Remaining` grows; 0 when none is counted.',
  ),
  'Retry-After': integer('How many seconds to wait.'),
  'WWW-Authenticate': text('`Bearer`'),
  'Idempotency-Replayed': text('`true` where an earlier request with the same key made the run.'),
};

const CREDENTIAL =
  'An API key, or a token in its place. `POST /v1/auth/token` also takes the OIDC token of a GitHub Actions job.';

/** In the order of the tags: documentation and clients list them so. */
function paths(): OpenApiDocument['paths'] {
  const rank = (contract: Contract): number => tags.findIndex(({ name }) => name === tagOf(contract));
  const endpoints = contracts.filter(({ path }) => path !== '$default');
  const sorted = endpoints.toSorted((a, b) => rank(a) - rank(b));
  const byPath = [...Map.groupBy(sorted, pathOf)].map(([path, here]) => [
    path,
    Object.fromEntries(here.map((contract) => [contract.method.toLowerCase(), operationOf(contract)])),
  ]);
  return Object.fromEntries(byPath);
}

/** The service in OpenAPI 3.1, from the contracts that validate its requests and answers. */
export function openApiDocument(): OpenApiDocument {
  const { version, license, description } = JSON.parse(read('../../package.json'));
  return {
    openapi: '3.1.1',
    info: {
      title: 'evalgate',
      version,
      summary: description,
      description: read('openapi/guide.md').trim(),
      license: { name: license, identifier: license },
    },
    servers: [{ url: '/', description: 'The service that this document was loaded from' }],
    tags,
    paths: paths(),
    components: {
      schemas: {
        ...Object.fromEntries([...COMPONENTS.keys()].map((name) => [name, componentSchema(name)])),
        Error: { ...componentSchema('Error'), description: errorMeanings() },
      },
      headers: HEADERS,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: CREDENTIAL } },
    },
  };
}
