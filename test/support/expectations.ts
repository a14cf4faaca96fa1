import { expect } from '@jest/globals';
import type { ApiAnswer } from './api.ts';

export const UUID = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
/** ISO 8601 in UTC with milliseconds. */
export const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Expects exactly `{data}` with this status and the headers of every JSON answer. */
export function expectData(answer: ApiAnswer, status: number, data: unknown): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { data } });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

/** Expects that the resource was made or changed, and has these fields. */
export function expectKept(answer: ApiAnswer, fields: object): void {
  expect(answer).toMatchObject({ status: expect.any(Number), body: { data: fields } });
  expect([200, 201]).toContain(answer.status);
}

export function expectNoContent(answer: ApiAnswer): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: undefined });
  expect(answer.headers.get('content-type')).toBeNull();
}

/** Expects the error envelope with exactly these fields, each with a reason. */
export function expectInvalid(answer: ApiAnswer, ...paths: readonly string[]): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: {
      error: {
        code: 'VALIDATION_ERROR',
        message: expect.any(String),
        details: { issues: expect.any(Array) },
      },
    },
  });
  const { issues } = answer.body.error.details;
  for (const issue of issues) {
    expect(issue).toEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) });
  }
  expect([...new Set(issues.map(({ path }: { path: string }) => path))].sort()).toEqual([...paths].sort());
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

/** Only the answer to a run has details: the suites that its credential may run. */
export function expectNotFound(answer: ApiAnswer, details?: { readonly suites: readonly string[] }): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 404,
    body: { error: { code: 'NOT_FOUND', message: expect.any(String), ...(details && { details }) } },
  });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

/** Waits for the next millisecond, so that times differ. */
export async function nextMillisecond(): Promise<void> {
  const before = Date.now();
  while (Date.now() === before) await new Promise((resolve) => setTimeout(resolve, 1));
}
