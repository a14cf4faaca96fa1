type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields of a PATCH that were sent. */
export function defined<T extends object>(changes: T): Defined<T> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>;
}
