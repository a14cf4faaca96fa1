import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonProblem } from '../../../clients/dashboard/kit/json.ts';

test.each([
  ['', 'line 1, column 1: more has to come here'],
  ['{"a": 1,\n}', 'line 2, column 1: “}” is not expected here'],
  ['{"a": 1', 'line 1, column 8: more has to come here'],
  ['[1 2]', 'line 1, column 4: “2]” is not expected here'],
  ['{a: 1}', 'line 1, column 2: “a:” is not expected here'],
  ['[1]]', 'line 1, column 4: “]” is not expected here'],
  ['[1}', 'line 1, column 3: “}” is not expected here'],
  ['{"a"\n  1}', 'line 2, column 3: “1}” is not expected here'],
  ['tru', 'line 1, column 1: “tru” is not expected here'],
  ['"a\nb"', 'line 1, column 1: “"a” is not expected here'],
  [
    '{"n": 12345678901234567891}',
    'line 1, column 7: 12345678901234567891 would be rounded to 12345678901234567000: write it as a text',
  ],
  ['[1e999]', 'line 1, column 2: 1e999 would be rounded to Infinity: write it as a text'],
])('%j has its problem at %s', (text, problem) => {
  expect(jsonProblem(text)).toBe(problem);
});

test('a text has a problem exactly when it is no JSON that a browser keeps, and each has a place within it', () => {
  const part = fc.constantFrom(
    ...'{}[],:"\\ \n',
    '"a"',
    '1',
    '-0.5e3',
    'true',
    'null',
    '"\\u00e9"',
    'x',
    '01',
  );
  const text = fc.oneof(
    fc.json(),
    fc.array(part).map((parts) => parts.join('')),
  );
  void fc.assert(
    fc.property(text, (typed) => {
      const isJson = (() => {
        try {
          JSON.parse(typed);
          return true;
        } catch {
          return false;
        }
      })();
      const problem = jsonProblem(typed);
      if (problem === undefined) return expect(isJson).toBe(true);
      const [, line = '', column = ''] = /^line (\d+), column (\d+): /.exec(problem) ?? [];
      const lines = typed.split('\n');
      expect(Number(line)).toBeLessThanOrEqual(lines.length);
      expect(Number(column)).toBeLessThanOrEqual((lines[Number(line) - 1] ?? '').length + 1);
      expect(isJson && !problem.includes('would be rounded')).toBe(false);
    }),
  );
});
