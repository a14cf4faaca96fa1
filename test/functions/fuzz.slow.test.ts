import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { errorsOf } from '../../shared/contracts/base/contract.ts';
import { ERROR_STATUS, errorEnvelopeSchema } from '../../shared/contracts/base/errors.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { type Api, type ApiAnswer, sharedServiceUrl, signUp } from '../support/api.ts';
import { makeNames, type Names, requestTo } from '../support/requests.ts';

let client: Api;
let names: Names;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  names = await makeNames(client);
});

const odd = fc.constantFrom<unknown>(
  '',
  ' ',
  '\u0000',
  '\u202e',
  '👩‍👩‍👧',
  'e\u0301',
  '-0',
  '1e400',
  '__proto__',
  'a'.repeat(3_000),
  '../..',
  '$x',
  0,
  -1,
  1.5,
  1e21,
  -1e-300,
  2 ** 53,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  { toString: 1 },
);
const anyValue = fc.oneof(odd, fc.jsonValue({ maxDepth: 3 }));

type Contract = (typeof contracts)[number];

/** An answer that the contract declares: with the body of its status, or the envelope of a known error. */
function expectDeclared(contract: Contract, answer: ApiAnswer): void {
  const schema = contract.responses[answer.status];
  if (schema !== undefined) {
    if (schema !== null) expect(schema.safeParse(answer.body).success).toBe(true);
    return;
  }
  const { code } = errorEnvelopeSchema.parse(answer.body).error;
  expect(errorsOf(contract)).toContain(code);
  expect(answer.status).toBe(ERROR_STATUS[code]);
}

const withBody = contracts
  .filter(({ body }) => body !== undefined)
  .map((contract) => [contract.id, contract] as const);

describe('any request gets an answer that the contract declares', () => {
  test.each(withBody)('%s, with one field of a good body replaced', async (_, contract) => {
    const { method, path, body = {} } = requestTo(contract, names);
    const shape = (contract.body as unknown as { shape: object }).shape;
    // A session is asked for with a body without fields.
    if (Object.keys(shape).length === 0) return;
    const field = fc.constantFrom(...Object.keys(shape));
    await fc.assert(
      fc.asyncProperty(field, anyValue, async (replaced, value) => {
        expectDeclared(contract, await client(method, path, { ...body, [replaced]: value }));
      }),
      { numRuns: 30 },
    );
  });

  test.each(withBody)('%s, with any JSON as body', async (_, contract) => {
    const { method, path } = requestTo(contract, names);
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        expectDeclared(contract, await client(method, path, JSON.stringify(value)));
      }),
      { numRuns: 10 },
    );
  });

  const named = fc.constantFrom('page', 'pageSize', 'expected_version', 'x');
  const withQuery = contracts
    .filter(({ query }) => query !== undefined)
    .map((contract) => [contract.id, contract] as const);
  test.each(withQuery)('%s, with any query', async (_, contract) => {
    const { method, path } = requestTo(contract, names);
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(named, text)), async (pairs) => {
        expectDeclared(contract, await client(method, `${path}?${new URLSearchParams(pairs)}`));
      }),
      { numRuns: 15 },
    );
  });
});
