import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SuiteCase } from '../../shared/scoring/kit/types.ts';

interface Config {
  readonly pattern: string;
  readonly values: readonly string[];
  readonly schema: object;
}

interface Judged {
  readonly passed: boolean;
  readonly reason: string;
}

/**
 * The baseline: scoring code written by hand, with validators and patterns compiled beforehand and a reason for each
 * result, without guards, limits and debug output.
 */
export function handWritten(cases: readonly SuiteCase[]): (outputOf: (index: number) => string) => number {
  const scorers = new Map<string, (output: string, expected: unknown) => Judged>();
  for (const { scorer } of cases) {
    if (scorer !== null && !scorers.has(scorer.id)) {
      scorers.set(scorer.id, scorerOf(scorer.type, scorer.config as Config));
    }
  }
  return (outputOf) => {
    const results = cases.map(({ id, name, expected, threshold, scorer }, index) => {
      const judged = scorers.get(scorer?.id ?? '')?.(outputOf(index), expected) ?? {
        passed: false,
        reason: 'no scorer',
      };
      const score = judged.passed ? 1 : 0;
      return {
        case_id: id,
        case_name: name,
        score,
        threshold,
        passed: score >= threshold,
        reason: judged.reason,
      };
    });
    return results.filter((result) => result.passed).length / results.length;
  };
}

function scorerOf(type: string, config: Config): (output: string, expected: unknown) => Judged {
  if (type === 'exact_match') {
    return (output, expected) =>
      output === expected ? { passed: true, reason: 'equal' } : { passed: false, reason: 'not equal' };
  }
  if (type === 'contains') {
    return (output) => {
      const found = config.values.filter((value) => output.includes(value));
      return { passed: found.length > 0, reason: `found ${found.length} of ${config.values.length}` };
    };
  }
  if (type === 'regex') {
    const pattern = new RegExp(config.pattern);
    return (output) => {
      const match = pattern.exec(output);
      return { passed: match !== null, reason: match === null ? 'no match' : `matched ${match[0]}` };
    };
  }
  const validate = new Ajv2020({ strict: false, ownProperties: true }).compile(config.schema);
  return (output) => bySchema(validate, output);
}

function bySchema(validate: ValidateFunction, output: string): Judged {
  try {
    const passed = validate(JSON.parse(output));
    return { passed, reason: passed ? 'valid' : (validate.errors?.[0]?.message ?? 'not valid') };
  } catch (error) {
    return { passed: false, reason: `not JSON: ${String(error)}` };
  }
}
