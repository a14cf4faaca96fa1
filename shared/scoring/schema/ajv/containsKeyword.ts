import { Type } from 'ajv/dist/compile/util.js';
import { _, type CodeKeywordDefinition, str } from 'ajv/dist/core.js';

/** ajv's own leaves the result for an empty array undeclared: in a loop it is that of the array before. */
export const containsKeyword: CodeKeywordDefinition = {
  keyword: 'contains',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  trackErrors: true,
  error: {
    message: ({ params: { min, max } }) =>
      max === undefined
        ? str`must contain at least ${min ?? 1} valid item(s)`
        : str`must contain at least ${min ?? 1} and no more than ${max} valid item(s)`,
    params: ({ params: { min, max } }) =>
      max === undefined ? _`{minContains: ${min ?? 1}}` : _`{minContains: ${min ?? 1}, maxContains: ${max}}`,
  },
  code(context) {
    const { gen, parentSchema, data, it } = context;
    // Set for the drafts that have the limits.
    const limits = it.opts.next === true ? parentSchema : {};
    const min: number = limits.minContains ?? 1;
    const max: number | undefined = limits.maxContains;
    context.setParams(max === undefined ? { min: _`${min}` } : { min: _`${min}`, max: _`${max}` });
    const count = gen.let('count', 0);
    gen.forRange('i', 0, _`${data}.length`, (index) => {
      const valid = gen.name('valid');
      context.subschema(
        { keyword: 'contains', dataProp: index, dataPropType: Type.Num, compositeRule: true },
        valid,
      );
      gen.if(valid, () => {
        gen.code(_`${count}++;`);
        gen.if(max === undefined ? _`${count} >= ${min}` : _`${count} > ${max}`, () => gen.break());
      });
    });
    const holds = max === undefined ? _`${count} >= ${min}` : _`${count} >= ${min} && ${count} <= ${max}`;
    context.result(holds, () => context.reset());
  },
};
