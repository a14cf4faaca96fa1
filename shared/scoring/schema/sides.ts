import { isJsonObject } from '../json.ts';
import { sidesOf } from '../sides.ts';
import type { Sides } from '../types.ts';
import { schemaRegExp } from './patterns.ts';
import { atPointer } from './walk.ts';

interface ValidationError {
  readonly instancePath: string;
}

/**
 * Recall: of the properties the schema requires, those present and valid. Precision: of the properties the
 * output has, those the schema declares. Both look at the top level of the document.
 */
export function schemaSides(root: object, output: unknown, errors: readonly ValidationError[]): Sides {
  const schema = declaring(root);
  const required = requiredOf(schema);
  const invalid = new Set(errors.map((error) => topLevelProperty(error.instancePath)));
  if (!isJsonObject(output)) {
    // Neither side sees what is wrong with it, and it may not count as right for that.
    const given = errors.length > 0 ? 1 : 0;
    return sidesOf({ rightGiven: 0, given, found: 0, expected: required.length });
  }
  const found = required.filter((name) => Object.hasOwn(output, name) && !invalid.has(name)).length;
  const given = Object.keys(output);
  const declared = given.filter(declaredBy(schema)).length;
  const bothPerfect = found === required.length && declared === given.length;
  // A wrong optional property or a broken rule on the whole is on neither side either.
  const unseen = bothPerfect && errors.length > 0 ? 1 : 0;
  return sidesOf({ rightGiven: declared, given: given.length + unseen, found, expected: required.length });
}

/** The schema that names the properties, behind references at the root. */
function declaring(root: object): Record<string, unknown> {
  let schema: unknown = root;
  for (let hops = 0; hops < 8 && isJsonObject(schema); hops++) {
    const reference = schema.$ref;
    if (typeof reference !== 'string' || !reference.startsWith('#/') || isJsonObject(schema.properties))
      break;
    schema = atPointer(root, reference);
  }
  return isJsonObject(schema) ? schema : {};
}

function requiredOf(schema: Record<string, unknown>): string[] {
  if (!Array.isArray(schema.required)) return [];
  return [...new Set(schema.required.filter((name) => typeof name === 'string'))];
}

function declaredBy(schema: Record<string, unknown>): (name: string) => boolean {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const patterns = isJsonObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
  const compiled = patterns.map(schemaRegExp);
  return (name) => Object.hasOwn(properties, name) || compiled.some((pattern) => pattern.test(name));
}

function topLevelProperty(instancePath: string): string | undefined {
  const step = instancePath.split('/', 2)[1];
  return step?.replaceAll('~1', '/').replaceAll('~0', '~');
}
