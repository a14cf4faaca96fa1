import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problems } from '../../../../clients/files/read/problems.ts';
import { readYaml } from '../../../../clients/files/read/readYaml.ts';
import { editedYaml } from '../../../../clients/files/write/yamlEdit.ts';
import { sized } from '../../../support/soak.ts';
import { yamlText } from '../yamlTexts.ts';
import '../../../support/seed.ts';

interface Layout {
  readonly isFlow: boolean;
  readonly step: number;
  readonly areItemsIndented: boolean;
  readonly comment: 'none' | 'above' | 'behind' | 'both';
}

const anyLayout: fc.Arbitrary<Layout> = fc.record({
  isFlow: fc.boolean(),
  step: fc.integer({ min: 1, max: 4 }),
  areItemsIndented: fc.boolean(),
  comment: fc.constantFrom('none', 'above', 'behind', 'both'),
});

const anyScalar = fc.oneof(
  fc.constantFrom(0, 1.5, true, null, 'text', 'two words', 'no', "it's", 'one\ntwo', 'one\n', ''),
  yamlText,
);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, anyScalar, tie('list'), tie('map')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  map: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd e', 'null'), tie('value'), { maxKeys: 4 }),
}));
const anyMap = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'x', 'y'), anyValue.value, {
  minKeys: 1,
  maxKeys: 4,
});

/** Prints a value as a person could, with a comment of its own at each place that may have one. */
function printed(value: unknown, layouts: Iterator<Layout>): string {
  let comments = 0;
  const scalar = (text: unknown): string =>
    text === 'text' || text === 'two words' ? text : JSON.stringify(text);
  const flow = (inner: unknown): string => {
    if (Array.isArray(inner)) return `[${inner.map(flow).join(', ')}]`;
    if (typeof inner !== 'object' || inner === null) return scalar(inner);
    return `{ ${Object.entries(inner)
      .map(([name, field]) => `"${name}": ${flow(field)}`)
      .join(', ')} }`;
  };
  const entry = (mark: string, inner: unknown, column: number): string => {
    const { isFlow, step, areItemsIndented, comment } = layouts.next().value as Layout;
    const indent = ' '.repeat(column);
    const above = comment === 'above' || comment === 'both' ? `${indent}# c${comments++}\n\n` : '';
    const behind = comment === 'behind' || comment === 'both' ? `  # c${comments++}` : '';
    const isEmpty = typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0;
    if (typeof inner === 'string' && /^one\ntwo$/.test(inner) && !isFlow)
      return `${above}${indent}${mark} |-${behind}\n${indent}${' '.repeat(step)}one\n${indent}${' '.repeat(step)}two\n\n`;
    if (isFlow || isEmpty) return `${above}${indent}${mark} ${flow(inner)}${behind}\n`;
    const isList = Array.isArray(inner);
    const next = isList && mark !== '-' && !areItemsIndented ? column : column + step;
    return `${above}${indent}${mark}${behind}\n${block(inner, next)}`;
  };
  const block = (inner: object, column: number): string =>
    Array.isArray(inner)
      ? inner.map((item) => entry('-', item, column)).join('')
      : Object.entries(inner)
          .map(([name, field]) => entry(`${name === 'null' ? '"null"' : name}:`, field, column))
          .join('');
  return `# head\n${block(value as object, 0)}# foot\n`;
}

const anyLayouts = fc.infiniteStream(anyLayout);
const readBack = (text: string): unknown => {
  const problems = new Problems();
  const value = readYaml('', text, problems)?.value;
  expect(problems.sorted()).toEqual([]);
  return value;
};

test('any change in any layout is read as itself, and all before new fields stays to the letter', () => {
  fc.assert(
    fc.property(anyMap, anyMap, anyLayouts, (before, changes, layouts) => {
      const text = printed(before, layouts);
      const after = { ...before, ...changes };
      const { text: edited, isKept } = editedYaml(text, before, after);
      expect({ after: readBack(edited), isKept }).toEqual({ after, isKept: true });
      const isOnlyMore = Object.keys(before).every((name) => !Object.hasOwn(changes, name));
      expect(edited).toContain(isOnlyMore ? text.slice(0, -'# foot\n'.length).trimEnd() : '# head\n');
      expect(edited).toMatch(/# foot\n$/);
    }),
    { numRuns: sized(200, 2_000) },
  );
});

test('any other map in place of one is read as itself, and the comments around it stay', () => {
  fc.assert(
    fc.property(anyMap, anyMap, anyLayouts, (before, after, layouts) => {
      const { text, isKept } = editedYaml(
        printed({ map: before, z: 1 }, layouts),
        { map: before, z: 1 },
        { map: after, z: 1 },
      );
      expect({ after: readBack(text), isKept }).toEqual({ after: { map: after, z: 1 }, isKept: true });
      expect(text).toMatch(/^# head\n(.|\n)*# foot\n$/);
    }),
    { numRuns: sized(200, 2_000) },
  );
});

const anyCases = fc.uniqueArray(fc.tuple(fc.constantFrom(...'abcdefgh'), anyValue.value), {
  minLength: 1,
  maxLength: 6,
  selector: ([key]) => key,
});

test('items with a key that change, move, come and go leave the lines of all others as they are', () => {
  fc.assert(
    fc.property(
      anyCases,
      anyCases,
      anyLayouts,
      fc.infiniteStream(fc.boolean()),
      (first, second, layouts, coins) => {
        const before = first.map(([key, input]) => ({ key, input }));
        const inFirst = new Map(before.map((item) => [item.key, item]));
        const after = second.map(([key, input]) =>
          coins.next().value ? (inFirst.get(key) ?? { key, input }) : { key, input },
        );
        const text = printed({ cases: before }, layouts);
        const { text: edited, isKept } = editedYaml(text, { cases: before }, { cases: after });
        expect({ after: readBack(edited), isKept }).toEqual({ after: { cases: after }, isKept: true });
        const [lines, editedLines] = [text.split('\n'), new Set(edited.split('\n'))];
        for (const item of after.filter((one) => before.includes(one))) {
          const start = lines.findIndex((line) =>
            new RegExp(`^ +key: ${item.key}( |$)|^ *- .*"key": "${item.key}"`).test(line),
          );
          const end = lines.findIndex((line, index) => index > start && /^ *-|^# foot/.test(line));
          if (lines[start]?.includes('[')) continue;
          expect(
            lines.slice(start, end).filter((line) => !/^ *#/.test(line) && !editedLines.has(line)),
          ).toEqual([]);
        }
      },
    ),
    { numRuns: sized(200, 2_000) },
  );
});
