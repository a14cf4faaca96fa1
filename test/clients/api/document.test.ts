import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../../clients/api/document.ts';
import { EXAMPLES } from '../../../clients/api/examples/examples.ts';
import { pathOf } from '../../../clients/api/openapi/contractParts.ts';
import { errorsOf } from '../../../shared/contracts/base/contract.ts';
import { ERROR_STATUS } from '../../../shared/contracts/base/errors.ts';
import { scopesFor } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { type Answered, complaintsAboutBody, expectDocumented } from '../../support/documented.ts';

const document = JSON.parse(JSON.stringify(openApiDocument()));
const endpoints = contracts.filter(({ path }) => path !== '$default');
const operationOf = (contract: (typeof endpoints)[number]) =>
  document.paths[pathOf(contract)][contract.method.toLowerCase()];

test('the document is one of OpenAPI 3.1, and its schemas are schemas', async () => {
  // The validator knows the objects of its own realm only, which a clone is of.
  const clone = structuredClone(document);
  const output = await validate('https://spec.openapis.org/oas/3.1/schema-base', clone, 'BASIC');
  expect(output).toEqual({ valid: true });
});

test('no type is a list of types, which tools of OpenAPI 3.1 stumble over', () => {
  const listed: string[] = [];
  JSON.stringify(document, (_, part) => {
    if (Array.isArray(part?.type)) listed.push(JSON.stringify(part));
    return part;
  });
  expect(listed).toEqual([]);
});

test('it has every endpoint once, by its id, and nothing else', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods as object));
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.toSorted()).toEqual(endpoints.map(({ id }) => id.replace('/', '.')).toSorted());
});

test('every reference leads to a component, and every component is referred to', () => {
  const text = JSON.stringify(document);
  const referred = new Set([...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, , name]) => name));
  const { schemas, headers } = document.components;
  expect([...referred].toSorted()).toEqual([...Object.keys(schemas), ...Object.keys(headers)].toSorted());
});

/** Sign-ins of persons take a provider outside: `test/functions/signIn/` sends them. */
const NEEDS_A_PROVIDER = /^signIn\/|^auth\/(beginSignIn|finishSignIn|createCliCode)$/;

describe.each(endpoints.map((contract) => [contract.id, contract] as const))('%s', (id, contract) => {
  const operation = operationOf(contract);
  const codesAt = (status: string): string[] => operation.responses[status]['x-error-codes'] ?? [];

  test('has its successes, and each of its errors with its status', () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(Object.keys(contract.responses)));
    const codes = [...errorsOf(contract), 'INTERNAL_ERROR', 'STORAGE_FULL'] as const;
    for (const code of codes) expect(codesAt(String(ERROR_STATUS[code]))).toContain(code);
    expect(statuses.flatMap(codesAt)).toHaveLength(codes.length);
  });

  test('requires of a query what a request is refused without', () => {
    const { error } = contract.query?.safeParse({}) ?? {};
    const inQuery = (operation.parameters ?? []).filter((one: { in: string }) => one.in === 'query');
    const required = inQuery.filter((one: { required: boolean }) => one.required);
    expect(required.map(({ name }: { name: string }) => name)).toEqual(
      error?.issues.map(({ path }) => path[0]) ?? [],
    );
  });

  test('states which scope it needs, and takes a credential where it needs one', () => {
    const { access, scope = 'full' } = contract;
    expect(operation['x-scopes']).toEqual(access === 'public' ? [] : scopesFor(scope));
    const takesOne = access === 'api_key' || id === 'auth/token';
    expect(operation.security).toEqual(takesOne ? [{ bearer: [] }] : []);
  });

  test('has an example of each success, and bodies of examples are valid', () => {
    const own = EXAMPLES.filter((example) => example.id === id);
    // The payment provider alone calls the webhook, and a service whose table is gone shows no example.
    const isShown = !contract.rawBody && !NEEDS_A_PROVIDER.test(contract.id);
    const shown = Object.keys(contract.responses).filter((status) => isShown && status !== '503');
    expect(own.map(({ status }) => String(status))).toEqual(expect.arrayContaining(shown));
    expect(new Set(own.map(({ name }) => name)).size).toBe(own.length);
    const bodies = [...own.map(({ body }) => body), contract.example].filter((body) => body !== undefined);
    const method = contract.method.toLowerCase();
    for (const body of bodies) expect(complaintsAboutBody(pathOf(contract), method, body)).toBe('');
  });
});

test('an answer whose body, status, header or error code is not documented fails the test that got it', () => {
  const path = '/v1/projects/none';
  const json = new Headers({ 'content-type': 'application/json' });
  const error = { code: 'NOT_FOUND', message: 'No such project.' };
  const missing: Answered = { method: 'GET', path, status: 404, headers: json, body: { error } };
  expect(() => expectDocumented(missing)).not.toThrow();
  for (const other of [
    { body: { error, more: 1 } },
    { body: { error: { ...error, code: 'SUITE_CHANGED' } } },
    { body: { error: { code: 'NOT_FOUND' } } },
    { status: 409 },
    { headers: new Headers({ 'content-type': 'text/csv' }) },
    { headers: new Headers({ 'content-type': 'application/json', 'retry-after': '1' }) },
  ])
    expect(() => expectDocumented({ ...missing, ...other })).toThrow('what openapi.json does not have');
});
