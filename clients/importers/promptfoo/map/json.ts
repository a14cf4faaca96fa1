import { Problems } from '../../../files/read/problems.ts';
import { readYaml } from '../../../files/read/readYaml.ts';
import { type Fields, isRecord, listOf } from '../read/values.ts';
import { type Mapping, NOT_NEGATED } from './types.ts';

/** The draft that a schema without one has there. */
export const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
/** The next one: it differs in that the fields beside a `$ref` count, as they do there in each draft. */
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

const NONE_THERE =
  'there braces are counted, those in texts too, almost JSON is repaired, and one object of several is enough, in a list too: here it must hold exactly one value, which is an object';

export const isJson: Mapping = ({ value, isNegated }) => {
  const schema = schemaOf(value);
  if (isNegated) return NOT_NEGATED;
  return schema === undefined ? NO_SCHEMA : { scorer: { type: 'json_schema', config: { schema } } };
};

export const containsJson: Mapping = ({ value, isNegated }) => {
  const schema = schemaOf(value);
  if (isNegated) return NOT_NEGATED;
  if (schema === undefined) return NO_SCHEMA;
  const ofObjects = withObjectsOnly(schema);
  if (ofObjects === undefined)
    return { why: 'expects another value than an object, which no output has there' };
  const config = { schema: ofObjects, extract: 'embedded' };
  return { scorer: { type: 'json_schema', config }, differences: [NONE_THERE] };
};

const NO_SCHEMA = { why: 'has a schema that is no map' };

/** A schema may be written as a text of YAML, and only there be true or false. */
function schemaOf(value: unknown): Fields | undefined {
  if (value === undefined || value === null || value === '') return {};
  const schema = typeof value === 'string' ? readYaml('', value, new Problems())?.value : value;
  if (schema === true && typeof value === 'string') return {};
  if (schema === false && typeof value === 'string') return { not: {} };
  return isRecord(schema) ? inItsDraft(schema) : undefined;
}

function inItsDraft(schema: Fields): Fields {
  const { $schema = DRAFT_07, ...otherFields } = schema;
  const isOld = typeof $schema === 'string' && $schema.replace(/#$/, '') === DRAFT_07.replace(/#$/, '');
  return { $schema: isOld && hasMoreBesideRef(schema) ? DRAFT_2019 : $schema, ...otherFields };
}

const SAYS_NOTHING = new Set([
  '$ref',
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

function hasMoreBesideRef(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  const isRef = isRecord(schema) && typeof schema.$ref === 'string';
  if (isRef && Object.keys(schema).some((name) => !SAYS_NOTHING.has(name))) return true;
  return Object.values(schema).some((inner) => hasMoreBesideRef(inner, seen));
}

/** There only objects are looked for. Undefined where the schema allows none. */
function withObjectsOnly(schema: Fields): Fields | undefined {
  const { type, $ref, allOf, ...otherFields } = schema;
  if (type !== undefined && type !== 'object' && !listOf(type).includes('object')) return undefined;
  // What stands beside a `$ref` would not count in some drafts.
  const all = $ref === undefined ? allOf : [{ $ref }, ...listOf(allOf)];
  return { ...otherFields, ...(all === undefined ? {} : { allOf: all }), type: 'object' };
}
