import { describe, expect, test } from '@jest/globals';
import { createRouter } from '../../../../infra/local/http/router.ts';
import type { Contract } from '../../../../shared/contracts/base/contract.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';

const route = createRouter(contracts);

/** A parameter's value that needs encoding in a path. */
const VALUE = 'a b/é%';

describe('the router', () => {
  test.each(contracts.filter(({ path }) => path !== '$default'))('leads $method $path to $id', (contract) => {
    const path = contract.path.replaceAll(/:\w+/g, encodeURIComponent(VALUE));
    const match = route(contract.method, path);
    expect(match.contract.id).toBe(contract.id);
    const names = [...contract.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(match.pathParameters).toEqual(Object.fromEntries(names.map((name) => [name, VALUE])));
  });

  test('prefers a literal segment to a parameter in any order of contracts', () => {
    const paths = ['/a/:x/c', '/a/b/:y', '/:z/b/c', '/a/b/c', '$default'];
    const some = (order: string[]) => order.map((path) => ({ id: path, method: 'GET', path }) as Contract);
    for (const order of [paths, paths.toReversed()]) {
      const find = createRouter(some(order));
      expect(find('GET', '/a/b/c').contract.id).toBe('/a/b/c');
      expect(find('GET', '/a/b/other').contract.id).toBe('/a/b/:y');
      expect(find('GET', '/a/other/c').contract.id).toBe('/a/:x/c');
      expect(find('GET', '/other/b/c').contract.id).toBe('/:z/b/c');
    }
  });

  test('names the route as API Gateway does', () => {
    expect(route('GET', '/v1/projects/x').routeKey).toBe('GET /v1/projects/{slug}');
    expect(route('GET', '/nowhere').routeKey).toBe('$default');
  });

  test.each([
    ['GET', '/'],
    ['GET', '//'],
    ['GET', '*'],
    ['GET', ''],
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/projects/'],
    ['GET', '/v1//projects'],
    ['GET', '//v1/projects'],
    ['GET', '/V1/projects'],
    ['GET', '/v1/projects/%'],
    ['GET', '/v1/projects/%zz'],
    ['GET', '/v1/projects/%ff'],
    ['GET', '/v1/projects/x/../../health'],
    ['GET', '/health/x'],
    ['GET', '/__proto__'],
    ['PUT', '/v1/projects'],
    ['HEAD', '/v1/run'],
    ['OPTIONS', '/health'],
    ['ANY', '/health'],
    ['constructor', '/health'],
  ])('gives %s %s to the endpoint of what matches nothing', (method, path) => {
    const match = route(method, path);
    expect(match.contract.path).toBe('$default');
    expect(match.pathParameters).toEqual({});
  });
});
