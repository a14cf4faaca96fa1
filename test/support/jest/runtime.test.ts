import { createRequire } from 'node:module';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { AppError } from '../../../shared/domain/errors.ts';

test('a package is the same wherever it is asked for', () => {
  expect(createRequire(import.meta.url)('@aws-sdk/client-dynamodb').DynamoDBClient).toBe(DynamoDBClient);
});

test('values of packages are of the language’s own types here, and ours are there', () => {
  expect(new ResourceNotFoundException({ message: 'none', $metadata: {} })).toBeInstanceOf(Error);
  expect(z.array(z.string()).parse(['a'])).toBeInstanceOf(Array);
  expect(z.instanceof(Map).safeParse(new Map()).success).toBe(true);
  expect(z.instanceof(Error).safeParse(new TypeError()).success).toBe(true);
});

test('an error of one type is not taken for one of another', () => {
  const error = new TypeError();
  expect(error instanceof RangeError).toBe(false);
  expect(error instanceof AppError).toBe(false);
  expect({} instanceof Error).toBe(false);
});

test('packages see the variables that a test sets', () => {
  process.env.EVALGATE_SEEN = 'yes';
  const seen = createRequire(import.meta.url)('node:process').env.EVALGATE_SEEN;
  expect(seen).toBe('yes');
});
