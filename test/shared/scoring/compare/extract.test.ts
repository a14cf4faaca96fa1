import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extracted } from '../../../../shared/scoring/kit/reading/extract.ts';
import { sized } from '../../../support/soak.ts';

const FENCE = '```';
const NOTE = /^\[\s*(?:[-\d][\d.eE+-]*\s*(?:,\s*[-\d][\d.eE+-]*\s*)*)?\]$/;

describe('fenced', () => {
  test.each([
    ['a block', `${FENCE}\n[1]\n${FENCE}`, '\n[1]\n'],
    ['one in prose', `Here:\n${FENCE}json\n[1]\n${FENCE}\nDone.`, '\n[1]\n'],
    ['one of more backticks', `${FENCE}${FENCE}\n[1]\n${FENCE}${FENCE}\n`, '\n[1]\n'],
    ['one of tildes', '~~~json\n[1]\n~~~', '\n[1]\n'],
    ['an indented one', `  ${FENCE}json\n  [1]\n  ${FENCE}`, '\n  [1]\n'],
    ['a fence of the other kind within it', `${FENCE}\n~~~\n${FENCE}`, '\n~~~\n'],
    ['a fence that says something within it', `${FENCE}\n${FENCE}js\n${FENCE}`, `\n${FENCE}js\n`],
  ])('takes %s', (_, text, block) => {
    expect(extracted(text, 'fenced')).toEqual({ ok: true, text: block });
  });

  test.each([
    ['nothing', '', 'no fenced block'],
    ['JSON without one', '[1]', 'no fenced block'],
    ['two', `${FENCE}\n[1]\n${FENCE}\n${FENCE}\n[2]\n${FENCE}`, 'several fenced blocks'],
    ['one that is not closed', `${FENCE}\n[1]`, 'not closed'],
    ['one that a shorter fence does not close', `${FENCE}\`\n[1]\n${FENCE}`, 'not closed'],
    ['code within a line', `${FENCE}[1]${FENCE}`, 'no fenced block'],
    ['one after a line that is one', `${FENCE}json {"a":1} ${FENCE}\n${FENCE}\n[1]\n${FENCE}`, 'beside its'],
    ['one before one in a quotation', `${FENCE}\n[1]\n${FENCE}\n> ${FENCE}\n> [2]\n> ${FENCE}`, 'beside its'],
    ['one in whose first line is another', `~~~ ${FENCE}[2]${FENCE}\n[1]\n~~~`, 'beside its'],
    ['one beside an object', `{"a":1}\n${FENCE}\n{"a":2}\n${FENCE}`, 'beside its'],
    ['one within an object', `{"a":\n${FENCE}\n{"a":2}\n${FENCE}\n}`, 'beside its'],
  ])('does not take %s', (_, text, why) => {
    expect(extracted(text, 'fenced')).toEqual({ ok: false, reason: expect.stringContaining(why) });
  });
});

describe('embedded', () => {
  test.each([
    ['all of the text', ' {"a":[1,{"b":null}]} ', '{"a":[1,{"b":null}]}'],
    ['a part of prose', 'The answer is {"a": 1}.', '{"a": 1}'],
    ['an empty one', 'none: [] here', '[]'],
    ['one in a block', `${FENCE}json\n[1.5e-3, true]\n${FENCE}`, '[1.5e-3, true]'],
    ['one whose texts hold brackets', 'so ["[{", "}\\"]", "a\\\\"] it is', '["[{", "}\\"]", "a\\\\"]'],
    ['an object beside links', 'See [docs](https://a.b/c_(d)), [a: b, c](d): {"a":1}', '{"a":1}'],
    ['an object beside notes', '[1] says [sic], at [10:30] [^2]: {"a":1} [x]', '{"a":1}'],
    ['an object beside names in braces', 'Dear {name}, {order.id} is {0} {"a":1}', '{"a":1}'],
    ['a number in brackets that is alone', 'It is [1].', '[1]'],
  ])('takes %s', (_, text, json) => {
    expect(extracted(text, 'embedded')).toMatchObject({ ok: true, text: json });
  });

  test.each([
    ['nothing', '', 'no JSON object or array'],
    ['prose', 'no {braces} or [brackets]', 'no JSON object or array'],
    ['a number', '42', 'no JSON object or array'],
    ['two', 'either {"a":1} or {"a":2}', 'several'],
    ['one before one that ends in a word', '[1] [-Inf', 'not closed'],
    ['an array beside a number in brackets', '[1] ["a"]', 'several'],
    ['an object beside an empty one', '{"a":1} {}', 'several'],
    ['an interval that is half open', '{"a":1} [0, 1)', 'not closed'],
    ['an object beside a quoted link', '{"a":1} ["docs"](x)', 'several'],
    ['an object beside braces within braces', '{{name}} {"a":1}', 'several'],
    ['one before an open bracket', '{"a":1} if (a) {', 'not closed'],
    ['one whose outer one began before the text', '"a":1, "b": {"a":2}}', 'does not open'],
    ['one that is cut off', '{"a":{"b":1}, "c":', 'from character 1 on that is not closed'],
  ])('does not take %s', (_, text, why) => {
    expect(extracted(text, 'embedded')).toEqual({ ok: false, reason: expect.stringContaining(why) });
  });

  const object = fc.dictionary(fc.string(), fc.jsonValue());
  const either = fc.oneof(object, fc.array(fc.jsonValue()));
  const prose = fc.string({ unit: fc.constantFrom('a', ' ', '.', ',', '"', ':', '(', '[1]', '{a}', '\n') });

  test('finds any object in prose as it is written, and never one of two values', () => {
    fc.assert(
      fc.property(object, either, prose, prose, (one, other, before, after) => {
        const [json, second] = [JSON.stringify(one, null, 1), JSON.stringify(other)];
        fc.pre(!NOTE.test(second) && !/^\s*"[^"]*"\s*:/.test(before + json));
        expect(extracted(before + json + after, 'embedded')).toMatchObject({ ok: true, text: json });
        expect(extracted(before + json + after + second, 'embedded').ok).toBe(false);
      }),
    );
  });

  test('takes nothing that lies in more than one way in a text, as a search from every bracket shows', () => {
    const anyText = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '\\', ' ', 'a'),
      maxLength: 14,
    });
    fc.assert(
      fc.property(anyText, (text) => {
        const found = extracted(text, 'embedded');
        const all = valuesIn(text);
        if (found.ok && isJson(found.text))
          expect(all.filter((json) => all.length === 1 || !NOTE.test(json))).toEqual([found.text]);
      }),
      { numRuns: sized(1_000, 3_000) },
    );
  });
});

/** The objects and arrays of a text that lie in no other one, by trying every beginning with every end. */
function valuesIn(text: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (!'[{'.includes(text.charAt(at))) continue;
    for (let end = at + 1; end <= text.length; end++) {
      if (!isJson(text.slice(at, end))) continue;
      values.push(text.slice(at, end));
      at = end - 1;
      break;
    }
  }
  return values;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
