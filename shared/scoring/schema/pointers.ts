export type SchemaPath = readonly (string | number)[];

/** The part of the document that `#/a/b` names, by own properties only; undefined if there is none. */
export function atPointer(document: unknown, reference: string): unknown {
  return pointerSteps(decoded(reference.slice(1))).reduce(atOwnStep, document);
}

export function atOwnStep(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string, unknown>)[step];
}

export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
