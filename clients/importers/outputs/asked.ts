interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** Every active case of a suite as it is asked, in their order, by as many pages as there are. */
export async function allAsked<T>(
  page: (query: { readonly cursor: string | undefined }) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { data, next_cursor } = await page({ cursor });
    all.push(...data);
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}
