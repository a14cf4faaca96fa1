import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { describe, expect, test } from '@jest/globals';
import '@hyperjump/json-schema/draft-2019-09';
import fc from 'fast-check';
import { compileByAjv } from '../../../../shared/scoring/schema/ajv/ajvSchema.ts';
import { draftOf } from '../../../../shared/scoring/schema/drafts.ts';
import { interpretSchema } from '../../../../shared/scoring/schema/interpreter/interpreter.ts';
import { compileSchema } from '../../../../shared/scoring/schema/validator.ts';
import { sized } from '../../../support/soak.ts';
import { caseOf, scoreOne } from '../cases.ts';
import { documents, schemas, VERSIONS } from './randomSchemas.ts';

type Verdict = boolean | 'threw';

function verdict(judge: () => boolean): Verdict {
  try {
    return judge();
  } catch {
    return 'threw';
  }
}

/** The drafts no longer have `dependencies`; in 2019-09 `contains` evaluates nothing, which the other one does not say. */
function isReadOtherwise(schema: object, version: number): boolean {
  const text = JSON.stringify(schema);
  return text.includes('"dependencies"') || (version === 2019 && text.includes('"contains"'));
}

let registered = 0;

async function validatorOfOthers(schema: object) {
  const uri = `https://example.com/schema-${registered++}`;
  registerSchema(JSON.parse(JSON.stringify(schema)), uri);
  try {
    return await validate(uri);
  } finally {
    unregisterSchema(uri);
  }
}

const someDocuments = fc.array(documents, { minLength: 8, maxLength: 8 });

describe('random schemas and documents', () => {
  test.each(VERSIONS)(
    'of draft %s: generated code and interpreter say the same, or the code throws',
    (version) => {
      let same = 0;
      fc.assert(
        fc.property(schemas(version, false), someDocuments, (schema, values) => {
          if (compileSchema(schema).isInterpreted) return;
          const interpret = interpretSchema(schema, version, { allErrors: true });
          const generated = compileByAjv(schema, draftOf(schema)!);
          for (const value of values) {
            const said = verdict(() => Boolean(generated(value)));
            if (said === 'threw') continue;
            const interpreted = verdict(() => interpret(value).valid);
            if (interpreted === 'threw') continue;
            expect({ value, valid: said }).toEqual({ value, valid: interpreted });
            same++;
          }
        }),
        { numRuns: sized(40, 120) },
      );
      expect(same).toBeGreaterThan(sized(80, 250));
    },
  );

  test.each([2019, 2020] as const)(
    'of draft %s: the interpreter and the implementation of others say the same of keywords that ajv is not trusted with',
    async (version) => {
      let same = 0;
      await fc.assert(
        fc.asyncProperty(schemas(version, true), someDocuments, async (schema, values) => {
          if (isReadOtherwise(schema, version)) return;
          const other = await validatorOfOthers(schema);
          const interpret = interpretSchema(schema, version, { allErrors: true });
          for (const value of values) {
            const said = verdict(() => other(value as never).valid);
            const interpreted = verdict(() => interpret(value).valid);
            // References without end: one may see an error before it follows them.
            if (said === 'threw' || interpreted === 'threw') continue;
            expect({ value, valid: interpreted }).toEqual({ value, valid: said });
            same++;
          }
        }),
        { numRuns: sized(40, 100) },
      );
      expect(same).toBeGreaterThan(sized(50, 150));
    },
  );

  test.each(VERSIONS)(
    'of draft %s: an invalid document has an error, a valid one none, at the first as in all',
    (version) => {
      fc.assert(
        fc.property(schemas(version, true), someDocuments, (schema, values) => {
          const all = interpretSchema(schema, version, { allErrors: true });
          const first = interpretSchema(schema, version, { allErrors: false });
          for (const value of values) {
            const said = verdict(() => {
              const { valid, errors } = all(value);
              expect(errors.length === 0).toBe(valid);
              return valid;
            });
            if (said !== 'threw') expect(verdict(() => first(value).valid)).toBe(said);
          }
        }),
        { numRuns: sized(30, 80) },
      );
    },
  );

  test.each(VERSIONS)(
    'of draft %s: no output without errors scores below its twin that is not dual-sided',
    (version) => {
      let valid = 0;
      fc.assert(
        fc.property(schemas(version, true), someDocuments, (schema, values) => {
          for (const value of values.slice(0, 3)) {
            const output = JSON.stringify(value);
            const plain = scoreOne(caseOf('json_schema', { schema }), output);
            const thresholds = { threshold: 1, precision_threshold: 1, recall_threshold: 1 };
            const dual = scoreOne(
              caseOf('json_schema', { schema }, { dual_sided: true, ...thresholds }),
              output,
            );
            expect({ value, passed: dual.passed, errored: dual.errored }).toEqual({
              value,
              passed: plain.passed,
              errored: plain.errored,
            });
            if (plain.passed) valid++;
          }
        }),
        { numRuns: sized(25, 60) },
      );
      expect(valid).toBeGreaterThan(sized(10, 30));
    },
  );
});
