import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { OutputItem } from '../../../../shared/contracts/outputs.ts';
import {
  type AddressedCase,
  matchOutputs,
  type RefusedOutputs,
  refusedSingleOutput,
} from '../../../../shared/scoring/engine/matching.ts';

const ID = '0a1b2c3d-4e5f-4a6b-8c7d-90a1b2c3d4e5';
const OTHER_ID = '1a1b2c3d-4e5f-4a6b-8c7d-90a1b2c3d4e5';
const caseOf = (fields: Partial<AddressedCase> = {}): AddressedCase => ({
  id: ID,
  key: 'refund',
  sampleCount: 1,
  ...fields,
});
const item = (name: string, output = 'o'): OutputItem => ({ case: name, output });

function match(cases: readonly AddressedCase[], items: readonly OutputItem[]) {
  const answer = matchOutputs(cases, items);
  if ('refused' in answer) throw new Error(JSON.stringify(answer.refused));
  return answer;
}

const issueOf = (answer: object | undefined): RefusedOutputs['refused'] | undefined =>
  answer !== undefined && 'refused' in answer ? (answer as RefusedOutputs).refused : undefined;

describe('a case is named', () => {
  test.each([ID, ID.toUpperCase(), 'refund'])('by %s', (name) => {
    expect(match([caseOf()], [item(name)]).byCase.get(ID)).toEqual([item(name)]);
  });

  test.each(['Refund', ' refund', 'refund ', '', ID.slice(1), '__proto__', 'constructor'])(
    'not by %j',
    (name) => {
      expect(issueOf(matchOutputs([caseOf()], [item(name)]))?.path).toBe('outputs');
    },
  );

  test('by its id even where another case has a key of the same text', () => {
    const cases = [caseOf({ id: OTHER_ID, key: ID }), caseOf()];
    expect([...match(cases, [item(ID)]).byCase.keys()]).toEqual([ID]);
    expect([...match(cases.toReversed(), [item(ID)]).byCase.keys()]).toEqual([ID]);
  });
});

describe('samples', () => {
  test('named by id and by key are those of one case, in the order sent', () => {
    const items = [item(ID, '1'), item('refund', '2'), item(ID.toUpperCase(), '3')];
    expect(match([caseOf({ sampleCount: 3 })], items).byCase.get(ID)).toEqual(items);
  });

  test('beyond those that a case takes are refused, naming item, case and limit', () => {
    const items = [item('unknown'), item(ID), item('refund'), item('refund'), item(ID)];
    const issue = issueOf(matchOutputs([caseOf({ sampleCount: 2 })], items));
    expect(issue?.path).toBe('outputs.3');
    expect(issue?.message).toMatch(/"refund".*\b2\b/);
  });
});

test('names of no case are counted, and the first 20 different ones answered as they were sent', () => {
  const names = Array.from({ length: 30 }, (_, index) => `No-${index % 25}`);
  const { surplus, surplusOutputs } = match([caseOf()], [...names.map((name) => item(name)), item(ID)]);
  expect(surplusOutputs).toBe(30);
  expect(surplus).toEqual(names.slice(0, 20));
});

test('a single output is refused for the first case that takes several', () => {
  const cases = [
    caseOf(),
    caseOf({ id: OTHER_ID, key: 'window', sampleCount: 3 }),
    caseOf({ sampleCount: 2 }),
  ];
  const issue = issueOf(refusedSingleOutput(cases));
  expect(issue?.path).toBe('output');
  expect(issue?.message).toMatch(/"window".*\b3\b/);
  expect(issueOf(refusedSingleOutput([caseOf()]))).toBeUndefined();
});

describe('whatever is sent,', () => {
  const suites = fc
    .uniqueArray(
      fc.record({
        id: fc.uuid(),
        key: fc.stringMatching(/^[a-z][a-z0-9-]{0,3}$/),
        sampleCount: fc.integer({ min: 1, max: 4 }),
      }),
      { selector: ({ key }) => key, maxLength: 12 },
    )
    // Some restored cases have their id as key.
    .map((cases) => cases.map((one, index) => (index % 3 === 0 ? { ...one, key: one.id } : one)));

  const sent = suites.chain((cases) => {
    const names = cases.flatMap(({ id, key }) => [id, id.toUpperCase(), key]);
    const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('nobody', ...names) }, fc.string());
    return fc.record({ cases: fc.constant(cases), names: fc.array(name, { maxLength: 30 }) });
  });

  const modelOf = (cases: readonly AddressedCase[], name: string) =>
    cases.find(({ id }) => id.toLowerCase() === name.toLowerCase()) ?? cases.find(({ key }) => key === name);

  test('each item becomes a sample of the case it names, or surplus, or the whole is a 400 with its reason', () => {
    fc.assert(
      fc.property(sent, ({ cases, names }) => {
        const items = names.map((name, index) => item(name, String(index)));
        const samplesOf = (one: AddressedCase) =>
          items.filter((sample) => modelOf(cases, sample.case) === one);
        const isTooMany = cases.some((one) => samplesOf(one).length > one.sampleCount);
        const unknown = items.filter((sample) => modelOf(cases, sample.case) === undefined);
        const issue = issueOf(matchOutputs(cases, items));
        if (isTooMany) expect(issue?.path).toMatch(/^outputs\.\d+$/);
        else if (unknown.length === items.length) expect(issue?.path).toBe('outputs');
        else {
          const matched = match(cases, items);
          for (const one of cases) expect(matched.byCase.get(one.id) ?? []).toEqual(samplesOf(one));
          expect([...matched.byCase.values()].flat().length + matched.surplusOutputs).toBe(items.length);
          expect(matched.surplus).toEqual([...new Set(unknown.map((sample) => sample.case))].slice(0, 20));
        }
      }),
    );
  });
});
