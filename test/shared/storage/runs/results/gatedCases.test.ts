import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Notice } from '../../../../../shared/contracts/runDetails.ts';
import type { ScoredCase } from '../../../../../shared/domain/runs/ports.ts';
import { gatedCase } from '../../../../../shared/domain/runs/results/caseResults.ts';
import { foldVerdict } from '../../../../../shared/scoring/verdict/foldVerdict.ts';
import type { GatedCase, GateSettings } from '../../../../../shared/scoring/verdict/gating.ts';
import { packGated, unpackGated } from '../../../../../shared/storage/runs/results/gatedCases.ts';
import { packJson } from '../../../../../shared/storage/table/blobs.ts';
import { bars, casesUpTo } from '../../../scoring/verdict/model.ts';
import { resultOf } from '../../results.ts';
import '../../../../support/seed.ts';
import { sized } from '../../../../support/soak.ts';

const NOTICES: Notice[] = [{ code: 'ADVISORY_EXPIRING', message: 'soon', key: 'refund-window' }];

const cameBack = (results: readonly ScoredCase[]) =>
  unpackGated(packJson({ cases: packGated(results.map(gatedCase)), notices: NOTICES }));

const resultLike = ({ id, mustPass, tags, ...gated }: GatedCase, more: Partial<ScoredCase>): ScoredCase => ({
  ...resultOf(0, 'x'),
  ...gated,
  case_id: id,
  must_pass: mustPass,
  tags: [...tags],
  ...more,
});

/** Cases with keys of their own and without, and advisory ones. */
const anyResults = casesUpTo(8).chain((cases) =>
  fc
    .array(fc.record({ advisory: fc.boolean(), hasKey: fc.boolean() }), {
      minLength: cases.length,
      maxLength: cases.length,
    })
    .map((drawn) =>
      cases.map((one, at) =>
        resultLike(one, {
          advisory: drawn[at]?.advisory === true,
          key: drawn[at]?.hasKey ? `key-${one.id}` : one.id,
        }),
      ),
    ),
);

const verdictOf = (cases: readonly GatedCase[], bar: GateSettings) =>
  cases.every(({ advisory }) => advisory) ? 'gates nothing' : foldVerdict(cases, bar);

test('the verdict of cases that were stored is the verdict of the results, to every name and figure', () => {
  fc.assert(
    fc.property(anyResults, bars, (results, bar) => {
      expect(verdictOf(cameBack(results).cases, bar)).toStrictEqual(verdictOf(results.map(gatedCase), bar));
    }),
    { numRuns: sized(300, 1_000) },
  );
});

test('a gating result that states more than one of passed, errored and missing has the same verdict, and names no other case', () => {
  const anyStates = fc.record({ passed: fc.boolean(), errored: fc.boolean(), missing: fc.boolean() });
  const contradicting = anyResults.chain((results) =>
    fc.tuple(
      ...results.map((result) => anyStates.map((states) => ({ ...result, ...states, advisory: false }))),
    ),
  );
  fc.assert(
    fc.property(contradicting, bars, (results, bar) => {
      expect(verdictOf(cameBack(results).cases, bar)).toStrictEqual(verdictOf(results.map(gatedCase), bar));
    }),
  );
});

test('cases that did not pass come back as they were, those that passed without their names', () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      const wanted = results.map(gatedCase).map((one) => (one.passed ? { ...one, id: '', key: '' } : one));
      expect(cameBack(results)).toStrictEqual({ cases: wanted, notices: NOTICES });
    }),
  );
});

test('of judged cases, the compared parts come back at their places: the output’s digest and the models', () => {
  const judged = fc.option(
    fc.record({
      outputDigest: fc.option(fc.constantFrom('0123456789abcdef', 'fedcba9876543210')),
      models: fc.constantFrom<(string | null)[][]>([], [null], ['m1'], [null, 'm1'], ['m1', 'm2']),
    }),
  );
  const cases = fc.array(judged, { minLength: 1, maxLength: 6 }).map((all) =>
    all.map((one, at) => ({
      ...gatedCase({ ...resultOf(at, 'x'), passed: false, errored: false }),
      ...(one && { judged: one }),
    })),
  );
  fc.assert(
    fc.property(cases, (given) => {
      const came = unpackGated(packJson({ cases: packGated(given), notices: [] })).cases;
      expect(came.map((one) => one.judged)).toEqual(
        given.map((one) => ('judged' in one ? one.judged : undefined)),
      );
    }),
  );
});

test('a result without a weight weighs nothing', () => {
  expect(cameBack([{ ...resultOf(0, 'x'), weight: null }]).cases).toMatchObject([{ weight: 0 }]);
});
