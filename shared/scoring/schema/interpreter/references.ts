import type { Interpreter, Keyword, Scope, Visit } from './evaluation.ts';
import type { Resource } from './resources.ts';

export const REFERENCES: Readonly<Record<string, Keyword>> = {
  $ref: (reference: string, schema, interpreter) => {
    const target = interpreter.resources.resolve(schema, reference);
    return (visit) => refersTo(interpreter, target.schema, target.resource, visit);
  },
  /** For a dynamic anchor: the outermost schema in the dynamic scope that has it. */
  $dynamicRef: (reference: string, schema, interpreter) => {
    const target = interpreter.resources.resolve(schema, reference);
    const name = target.dynamicAnchor;
    if (name === null) return (visit) => refersTo(interpreter, target.schema, target.resource, visit);
    return (visit) => {
      const resource = outermost(visit.scope, (one) => one.dynamicAnchors.has(name)) ?? target.resource;
      return refersTo(interpreter, resource.dynamicAnchors.get(name) ?? target.schema, resource, visit);
    };
  },
  $recursiveRef: (reference: string, schema, interpreter) => {
    const target = interpreter.resources.resolve(schema, reference);
    if (!target.resource.isRecursive || target.schema !== target.resource.root) {
      return (visit) => refersTo(interpreter, target.schema, target.resource, visit);
    }
    return (visit) => {
      const resource = outermost(visit.scope, (one) => one.isRecursive) ?? target.resource;
      return refersTo(interpreter, resource.root, resource, visit);
    };
  },
};

function refersTo(interpreter: Interpreter, schema: unknown, resource: Resource, visit: Visit): boolean {
  const scope = visit.scope.resource === resource ? visit.scope : { resource, outer: visit.scope };
  const evaluated = interpreter.evaluate(schema, { ...visit, scope });
  if (evaluated !== null) visit.evaluated.add(evaluated);
  return evaluated !== null;
}

function outermost(from: Scope, matches: (resource: Resource) => boolean): Resource | null {
  let outermostMatch: Resource | null = null;
  for (let scope: Scope | null = from; scope !== null; scope = scope.outer) {
    if (matches(scope.resource)) outermostMatch = scope.resource;
  }
  return outermostMatch;
}
