import type { Draft } from './drafts.ts';
import { interpretedDraft, referencesOf } from './interpreter/draft.ts';
import { KEYWORDS } from './interpreter/interpreter.ts';
import type { Resources, Schema } from './interpreter/resources.ts';

/** Keywords for which ajv loses track of evaluated parts or of the dynamic scope. */
const INTERPRETED = ['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef', '$recursiveRef'];
/** ajv may resolve other references differently: it finds anchors and addresses in places that hold no schema. */
const READ_ALIKE = /^#(?:\/[\w$\-./]*)?$/;

/** Whether generated code could answer differently from the drafts. */
export function needsInterpreter(schema: Schema, root: Schema, draft: Draft, resources: Resources): boolean {
  if (INTERPRETED.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  // ajv takes references below another `$id` for references to that, without end.
  if (schema !== root && hasId(schema)) return true;
  const references = referencesOf(schema, interpretedDraft(draft.version));
  if (references.length === 0) return false;
  if (references.some((reference) => !READ_ALIKE.test(reference) || !resources.find(schema, reference)))
    return true;
  if (resources.hasStrayIds) return true;
  // Up to draft 07 nothing counts beside `$ref`; ajv lets it count.
  return draft.version <= 7 && Object.keys(schema).some(countsBesideRef);
}

function hasId(schema: Schema): boolean {
  return typeof schema.$id === 'string' || typeof schema.id === 'string';
}

function countsBesideRef(keyword: string): boolean {
  return keyword === '$id' || keyword === 'id' || (keyword !== '$ref' && KEYWORDS.has(keyword));
}
