import { notBefore } from './time.ts';

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function defined<T extends object>(changes: T): Defined<T> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** A resource after a PATCH: the same object if no field was sent. */
export function patched<T extends { readonly updated_at: string }, Changes extends object>(
  resource: T,
  changes: Changes,
  nowMs: number,
): T {
  const sent = defined(changes);
  if (Object.keys(sent).length === 0) return resource;
  return { ...resource, ...sent, updated_at: notBefore(resource.updated_at, nowMs) };
}
