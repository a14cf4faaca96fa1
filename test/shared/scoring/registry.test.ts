import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { SCORER_TYPES_FILE, scorerTypesSource } from '../../../scripts/documents/scorerTypes.ts';
import type { DeclaredError } from '../../../shared/scoring/engine/definition.ts';
import * as errors from '../../../shared/scoring/engine/errors.ts';
import { scorers } from '../../../shared/scoring/registry.ts';
import { REPOSITORY_DIR } from '../../support/service.ts';

test('the contracts name the types of all scorers, as `npm run docs` writes them', () => {
  expect(readFileSync(path.join(REPOSITORY_DIR, SCORER_TYPES_FILE), 'utf8')).toBe(scorerTypesSource());
});

test('no two scorers have the same type', () => {
  expect(new Set(scorers.map(({ type }) => type)).size).toBe(scorers.length);
});

test('no two errors of scorers have the same code', () => {
  const common = Object.values(errors).filter((value) => typeof value === 'object');
  const codes = [...common, ...scorers.flatMap<DeclaredError>(({ errors }) => errors)].map(
    ({ code }) => code,
  );
  expect(codes.length).toBeGreaterThan(scorers.length);
  expect(new Set(codes).size).toBe(codes.length);
});
