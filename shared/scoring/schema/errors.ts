import type { ScorerError } from '../kit/definition.ts';

export const SCHEMA_TIMEOUT: ScorerError = {
  code: 'SCHEMA_TIMEOUT',
  fault: 'candidate',
  reason: 'the schema did not finish on this output in time: simplify its `anyOf`, `$ref` or `pattern` parts',
};
export const SCHEMA_RECURSION: ScorerError = {
  code: 'SCHEMA_RECURSION',
  fault: 'bar',
  reason: 'the schema refers back to itself without end: break the `$ref` cycle',
};
