import { describe, expect, test } from '@jest/globals';
import { apiDocument } from '../../scripts/documents/api.ts';
import { errorsOf } from '../../shared/contracts/base/contract.ts';
import { contracts } from '../../shared/contracts/registry.ts';

const sections = new Map(
  apiDocument()
    .split(/^### /m)
    .map((section) => [section.split('\n')[0] ?? '', section]),
);
const endpoints = contracts.filter(({ path }) => path !== '$default');

const fieldsOf = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});

describe.each(endpoints.map((contract) => [contract.id, contract] as const))(
  'the section of %s',
  (_, contract) => {
    const { method, path, params, headers, query, body } = contract;
    const section = sections.get(`\`${method} ${path}\``) ?? '';

    test('has a row for each parameter and each field of the body', () => {
      const rows = [...section.matchAll(/^\| `([\w-]+)`/gm)].map(([, field]) => field);
      expect(rows).toEqual(expect.arrayContaining([params, headers, query, body].flatMap(fieldsOf)));
    });

    test('names each status it answers and each error', () => {
      for (const status of Object.keys(contract.responses)) expect(section).toContain(`Answer ${status}`);
      for (const code of errorsOf(contract)) expect(section).toContain(`\`${code}\``);
    });
  },
);
