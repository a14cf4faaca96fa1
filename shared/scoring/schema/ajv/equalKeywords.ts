import { _, type CodeKeywordDefinition, type FuncKeywordDefinition, str } from 'ajv/dist/core.js';
import { equalJson } from '../../compare/equality.ts';
import { firstTwins, oneOfValues } from './equal.ts';

/** ajv's own compare through members named `constructor` or `valueOf`, and lose items named `__proto__`. */
const constKeyword: FuncKeywordDefinition = {
  keyword: 'const',
  errors: false,
  error: {
    message: 'must be equal to constant',
    params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}`,
  },
  compile: (allowed: unknown) => (value: unknown) => equalJson(allowed, value),
};

const enumKeyword: FuncKeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  errors: false,
  error: {
    message: 'must be equal to one of the allowed values',
    params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
  },
  compile(allowed: readonly unknown[]) {
    return oneOfValues(allowed);
  },
};

const uniqueItemsKeyword: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: ({ params: { i = 0, j = 0 } }) =>
      str`must NOT have duplicate items (items ## ${j} and ${i} are identical)`,
    params: ({ params: { i = 0, j = 0 } }) => _`{i: ${i}, j: ${j}}`,
  },
  code(context) {
    if (context.schema !== true) return;
    const find = context.gen.scopeValue('func', { ref: firstTwins });
    const twins = context.gen.const('twins', _`${find}(${context.data})`);
    context.setParams({ i: _`${twins}[1]`, j: _`${twins}[0]` });
    context.fail(_`${twins} !== null`);
  },
};

export const EQUAL_KEYWORDS = [constKeyword, enumKeyword, uniqueItemsKeyword];
