import { beforeAll, expect, test } from '@jest/globals';
import { api, sharedServiceUrl, signUp } from './api.ts';
import { makeProject } from './builders.ts';
import { type Answered, expectDocumented } from './documented.ts';

let found: Answered;
let missing: Answered;
let refused: Answered;

beforeAll(async () => {
  const url = sharedServiceUrl();
  const client = await signUp(url);
  const { slug } = await makeProject(client);
  const answered = async (path: string, asked = client): Promise<Answered> => {
    return { method: 'GET', path, ...(await asked('GET', path)) };
  };
  found = await answered(`/v1/projects/${slug}?unread=1`);
  missing = await answered('/v1/projects/no-such');
  refused = await answered('/v1/projects', api(url));
});

const complaint = (answered: Answered): string => {
  try {
    expectDocumented(answered);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

const project = () => (found.body as { data: Record<string, unknown> }).data;
const withHeaders = (change: (headers: Headers) => void): Answered => {
  const headers = new Headers(found.headers);
  change(headers);
  return { ...found, headers };
};

test('answers as the document has them pass', () => {
  for (const answered of [found, missing, refused]) expect(complaint(answered)).toBe('');
});

test('a field that is undeclared, left out or of another type fails the test that got it', () => {
  const { slug: _, ...less } = project();
  expect(complaint({ ...found, body: { data: { ...project(), colour: 'red' } } })).toContain('"colour"');
  expect(complaint({ ...found, body: { data: less } })).toContain("required property 'slug'");
  expect(complaint({ ...found, body: { data: { ...project(), name: 1 } } })).toContain('name must be string');
  expect(complaint({ ...found, body: found.body && { ...found.body, more: 1 } })).toContain('"more"');
});

test('so do a status, a code of an error and a media type that the operation does not have', () => {
  expect(complaint({ ...found, status: 201 })).toContain('projects.get answered');
  expect(complaint({ ...missing, status: 409 })).toContain('status 409');
  const { error } = missing.body as { error: object };
  const other = { ...missing, body: { error: { ...error, code: 'SUITE_CHANGED' } } };
  expect(complaint(other)).toContain('the code SUITE_CHANGED with status 404');
  expect(complaint(withHeaders((headers) => headers.set('content-type', 'text/csv')))).toContain('text/csv');
});

test('so does a header that the answer does not have, or one that is no number', () => {
  expect(complaint(withHeaders((headers) => headers.set('retry-after', '1')))).toContain('retry-after');
  expect(complaint(withHeaders((headers) => headers.set('ratelimit-limit', 'many')))).toContain('ratelimit');
});
