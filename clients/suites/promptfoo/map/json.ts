import { readYaml } from '../../locate.ts';
import { Problems } from '../../read/problems.ts';
import { isRecord } from '../read/values.ts';
import { type Mapping, NOT_NEGATED } from './types.ts';

/** The draft that a schema without one has there. */
export const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

const NONE_THERE =
  'there what is nearly JSON is repaired, and one of several values is enough: here it must hold exactly one';

export const isJson: Mapping = ({ value, isNegated }) => {
  const schema = schemaOf(value);
  if (isNegated) return NOT_NEGATED;
  return schema === undefined ? NO_SCHEMA : { scorer: { type: 'json_schema', config: { schema } } };
};

export const containsJson: Mapping = ({ value, isNegated }) => {
  const schema = schemaOf(value);
  if (isNegated) return NOT_NEGATED;
  return schema === undefined
    ? NO_SCHEMA
    : { scorer: { type: 'json_schema', config: { schema, extract: 'embedded' } }, differences: [NONE_THERE] };
};

const NO_SCHEMA = { why: 'has a schema that is neither a map nor true or false' };

/** A schema may be written as a text of YAML. */
function schemaOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null || value === '') return {};
  const schema = typeof value === 'string' ? readYaml('', value, new Problems())?.value : value;
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  return isRecord(schema) ? { $schema: DRAFT_07, ...schema } : undefined;
}
