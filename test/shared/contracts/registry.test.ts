import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { errorsOf } from '../../../shared/contracts/base/contract.ts';
import { ERROR_STATUS, errorEnvelopeSchema } from '../../../shared/contracts/base/errors.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { REPOSITORY_DIR } from '../../support/processes.ts';

const FUNCTIONS_DIR = path.join(REPOSITORY_DIR, 'functions');
/** Functions that no request reaches, outside `evaluator/`. */
const WITHOUT_ENDPOINT = ['billing/reportOverage', 'operator/command'];
const ids = contracts.map(({ id }) => id);
const rows = contracts.map((contract) => [contract.id, contract] as const);

const parametersIn = (route: string): string[] =>
  [...route.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
/** `/v1/cases/:caseId` and `/v1/cases/:id` are one route. */
const shapeOf = (route: string): string => route.replaceAll(/:\w+/g, ':');

describe('the registry of contracts', () => {
  test('and the function files are the same: one file an endpoint', () => {
    const files = globSync('**/*.ts', { cwd: FUNCTIONS_DIR, exclude: (name) => name === 'evaluator' });
    const endpoints = files
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((id) => !WITHOUT_ENDPOINT.includes(id));
    expect(endpoints.sort()).toEqual([...ids].sort());
  });

  test('names each id once', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names each method and path once, regardless of parameter names', () => {
    const routes = contracts.map(({ method, path: route }) => `${method} ${shapeOf(route)}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test('has exactly one fallback route', () => {
    expect(contracts.filter((contract) => contract.path === '$default').map(({ method }) => method)).toEqual([
      'ANY',
    ]);
  });
});

/** Sign-ins of persons: no request of them tries a credential, and all people of an office have one address. */
const NOTHING_TO_GUESS: ReadonlySet<string> = new Set([
  'auth/beginSignIn',
  'auth/finishSignIn',
  'auth/createCliCode',
]);

describe.each(rows)('the contract %s', (_id, contract) => {
  test('lies under /v1, or is where something else looks for it', () => {
    if (['/health', '$default'].includes(contract.path) || contract.path.startsWith('/.well-known/')) return;
    expect(contract.path).toMatch(/^\/v1(\/([a-z-]+|:[a-zA-Z]+))+$/);
  });

  test('lists the errors that do not follow from the rest of it, each once, and no others', () => {
    const { errors = [] } = contract;
    const { errors: _, ...rest } = contract;
    expect(Object.keys(ERROR_STATUS)).toEqual(expect.arrayContaining([...errors]));
    expect(new Set(errors).size).toBe(errors.length);
    expect(errorsOf(rest).filter((code) => errors.includes(code))).toEqual([]);
  });

  test('has an example where it takes a body, and the body takes the example', () => {
    expect(contract.example === undefined).toBe(contract.body === undefined);
    expect(contract.body?.safeParse(contract.example).error).toBeUndefined();
  });

  test('describes exactly the parameters of its path', () => {
    const shape = (contract.params as { shape?: object } | undefined)?.shape ?? {};
    expect(Object.keys(shape).sort()).toEqual(parametersIn(contract.path).sort());
  });

  test('answers with the statuses of its method, and 204 without a body', () => {
    const statuses = Object.keys(contract.responses).map(Number);
    for (const status of statuses) expect([200, 201, 202, 204, 503]).toContain(status);
    expect(contract.responses[204] === null).toBe(statuses.includes(204));
    if (contract.method === 'DELETE') expect(statuses).toEqual([204]);
    if (contract.method === 'GET' || contract.method === 'DELETE') expect(contract.body).toBeUndefined();
  });

  test('counts against the limit of its path', () => {
    if (contract.path === '/health') return;
    // The payment provider's signature is what counts there.
    if (contract.rawBody) return expect(contract.rateClass).toBe('none');
    const isTried = contract.path.startsWith('/v1/auth/') && !NOTHING_TO_GUESS.has(contract.id);
    expect(contract.rateClass).toBe(isTried ? 'auth' : 'general');
  });
});

test('the error envelope takes every known code', () => {
  for (const code of Object.keys(ERROR_STATUS)) {
    expect(errorEnvelopeSchema.safeParse({ error: { code, message: 'm' } }).success).toBe(true);
  }
});
