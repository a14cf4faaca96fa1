import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SCORER_TYPES_FILE, scorerTypesSource } from '../../../../scripts/documents/scorerTypes.ts';
import { type Fault, faultSchema } from '../../../../shared/contracts/gates.ts';
import { foldSamples, outputErrorResult } from '../../../../shared/scoring/engine/samples.ts';
import type { DeclaredError } from '../../../../shared/scoring/kit/definition.ts';
import * as errors from '../../../../shared/scoring/kit/errors.ts';
import type { CaseResult } from '../../../../shared/scoring/kit/types.ts';
import { scorers } from '../../../../shared/scoring/registry.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';

const common = Object.values(errors).filter((value) => typeof value === 'object');
const all = [...common, ...scorers.flatMap<DeclaredError>((scorer) => scorer.errors)];
const declared = new Map(all.map(({ code, fault }) => [code, fault]));

test('no two scorers have the same type, and no two of their errors the same code', () => {
  expect(new Set(scorers.map(({ type }) => type)).size).toBe(scorers.length);
  expect(declared.size).toBe(all.length);
});

test('the contracts name the types of all scorers, as `npm run docs` writes them', () => {
  expect(readFileSync(path.join(REPOSITORY_DIR, SCORER_TYPES_FILE), 'utf8')).toBe(scorerTypesSource());
});

/** The list of errors: codes, and whose doing they are. */
function documented(): Map<string, string> {
  const page = readFileSync(path.join(REPOSITORY_DIR, 'docs/errors.md'), 'utf8');
  const [, section = ''] = page.split('## Scorer errors\n');
  const rows = (section.split('\n## ')[0] ?? '').matchAll(/^- ([^(:\n]*) \(`(\w+)`\):/gm);
  return new Map(
    [...rows].flatMap(([, codes = '', fault = '']) =>
      codes.split(',').map((code): [string, string] => [code.replaceAll('`', '').trim(), fault]),
    ),
  );
}

test('every error of a scorer declares whose doing it is, and the documents say the same of each', () => {
  expect(declared.size).toBeGreaterThan(20);
  for (const fault of declared.values()) expect(faultSchema.options).toContain(fault);
  expect(documented()).toEqual(declared);
});

test('nothing that the candidate sends, and nothing that is missing of the bar, is the service’s doing', () => {
  const ofService = [...declared].filter(([, fault]) => fault === 'service').map(([code]) => code);
  expect(ofService.toSorted()).toEqual([
    'EVALUATION_FAILED',
    'JUDGE_CONCURRENCY_EXCEEDED',
    'JUDGE_RATE_LIMITED',
    'JUDGE_TIMEOUT',
    'JUDGE_UNAVAILABLE',
  ]);
});

describe('samples that end in errors decide whether the case passes', () => {
  const CASE = { id: 'c', name: 'C', threshold: 0.5 };
  const passed: CaseResult = {
    case_id: 'c',
    case_name: 'C',
    passed: true,
    score: 1,
    threshold: 0.5,
    reason: '',
    scorer_output: {},
    duration_ms: 0,
    errored: false,
  };
  const by = (fault: Fault): CaseResult => ({ ...outputErrorResult(CASE, 'none'), fault });
  test.each<[string, CaseResult[], number, Fault]>([
    ['all by the service', [by('service'), by('service')], 1, 'service'],
    ['enough of them by the service', [passed, by('service'), by('candidate')], 0.6, 'service'],
    ['one that is needed by the candidate', [passed, by('service'), by('candidate')], 1, 'candidate'],
    ['one that is needed by the bar', [by('service'), by('candidate'), by('bar')], 1, 'bar'],
  ])('%s', (_, samples, samplePassRate, fault) => {
    const result = foldSamples(samples, { sampleCount: samples.length, samplePassRate });
    expect(result).toMatchObject({ errored: true, scorer_output: { error: 'SAMPLES_UNDECIDED' }, fault });
  });
});
