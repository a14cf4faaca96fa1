import { precisionRecallOf } from '../compare/precisionRecall.ts';
import type { PrecisionRecall } from '../kit/definition.ts';
import { isJsonObject } from '../kit/json.ts';
import type { Shape } from './shape.ts';

interface ValidationError {
  readonly instancePath: string;
}

/**
 * Recall: of the properties the schema requires, those present and valid. Precision: of the properties the output has,
 * those the schema declares. Both count properties at the top level of the document. Both are 1 for an output that
 * satisfies the schema, even if it has properties that the schema does not declare. Empties the list of errors.
 */
export function schemaPrecisionRecall(
  shape: Shape,
  output: unknown,
  errors: ValidationError[],
): PrecisionRecall {
  const given = isJsonObject(output) ? Object.keys(output) : [];
  const { required } = shape;
  if (errors.length === 0) return perfect(given.length, currentIn(output, required).length);
  // It has no properties to count, and must not score for that.
  if (!isJsonObject(output))
    return precisionRecallOf({ rightGiven: 0, given: 1, found: 0, expected: required.length });
  const invalid = invalidProperties(errors);
  const foundCount = currentIn(output, required).filter((name) => !invalid.has(name)).length;
  const declared = given.filter((name) => shape.declares(name)).length;
  const bothPerfect = foundCount === required.length && declared === given.length;
  // Neither figure counts a wrong optional property or a broken rule on the whole document.
  const unseen = bothPerfect ? 1 : 0;
  return precisionRecallOf({
    rightGiven: declared,
    given: given.length + unseen,
    found: foundCount,
    expected: required.length,
  });
}

function currentIn(output: unknown, names: readonly string[]): readonly string[] {
  return isJsonObject(output) ? names.filter((name) => Object.hasOwn(output, name)) : [];
}

/** If the schema requires nothing, every given property counts as expected. */
function perfect(given: number, required: number): PrecisionRecall {
  const expected = required === 0 ? given : required;
  return precisionRecallOf({ rightGiven: given, given, found: expected, expected });
}

/** V8 writes out a path when it is read; those of 10,000 errors may take more memory at once than there is. */
function invalidProperties(errors: ValidationError[]): ReadonlySet<string | undefined> {
  const names = new Set<string | undefined>();
  let before: string | undefined;
  for (let error = errors.pop(); error !== undefined; error = errors.pop()) {
    // Errors below a long name share its path, which takes time to read.
    if (error.instancePath !== before) names.add(topLevelProperty(error.instancePath));
    before = error.instancePath;
  }
  return names;
}

function topLevelProperty(instancePath: string): string | undefined {
  const step = instancePath.split('/', 2)[1];
  return step?.replaceAll('~1', '/').replaceAll('~0', '~');
}
