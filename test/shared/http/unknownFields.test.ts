import { expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import { defineContract } from '../../../shared/contracts/base/contract.ts';
import type { Issue } from '../../../shared/contracts/base/errors.ts';
import { gatesSchema } from '../../../shared/contracts/gates.ts';
import { AppError } from '../../../shared/domain/errors.ts';
import { parseRequest } from '../../../shared/http/request.ts';

const contract = defineContract('suites/create', 'POST /v1/gates', {
  summary: 'For this test',
  body: z.object({ gates: gatesSchema }),
  responses: { 204: null },
});

function issuesOf(body: unknown): Issue[] {
  const event = { rawPath: '/v1/gates', headers: {}, body: JSON.stringify(body), isBase64Encoded: false };
  try {
    parseRequest(contract, event as APIGatewayProxyEventV2);
    return [];
  } catch (error) {
    return error instanceof AppError ? (error.details?.issues as Issue[]) : [];
  }
}

test.each([
  [{ gates: { tagz: [] } }, ['gates.tagz']],
  [{ gates: { tagz: [], must_pass: 1 } }, ['gates.tagz', 'gates.must_pass']],
  [{ gates: { tags: [{ tag: 'a', pass_threshold: 1, min: 2 }] } }, ['gates.tags.0.min']],
  [{ gates: { min_judged_cases: 0, tagz: [] } }, ['gates.min_judged_cases', 'gates.tagz']],
  [{ gates: { min_judged_cases: 1 }, unknown: 1 }, []],
])('unknown fields of strict objects in %j are named by their paths', (body, paths) => {
  expect(issuesOf(body).map(({ path }) => path)).toEqual(paths);
});

test('many unknown fields and long names make a short answer', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `${at}${'x'.repeat(1_000)}`);
  const issues = issuesOf({ gates: Object.fromEntries(names.map((name) => [name, 1])) });
  expect(JSON.stringify(issues).length).toBeLessThan(10_000);
});
