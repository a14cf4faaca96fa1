import { BoundedCache } from '../../domain/caches/boundedCache.ts';
import { placeName } from '../../domain/revisions/ids.ts';
import { putNew } from '../table/documents.ts';
import { placeKey } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

/** Where a suite or a project lies. It never changes; whether what it names still exists, its head says. */
export interface Place {
  readonly id: string;
  readonly slug: string;
  /** Of a suite: its project's id. */
  readonly project_id?: string | undefined;
}

const PLACES_MAX = 10_000;

export const putPlace = (orgId: string, place: Place): Write =>
  putNew(placeKey(orgId, placeName(place.id)), { ...place });

/** Those of the ids, or of cases or scorers with these ids, in their order. */
export function placeReader(table: Table) {
  const known = new BoundedCache<Place>({ maxSize: PLACES_MAX });
  return async (orgId: string, ids: readonly string[]): Promise<(Place | undefined)[]> => {
    const keys = ids.map((id) => placeKey(orgId, placeName(id)));
    const missing = keys.filter(({ pk, sk }) => known.get(pk + sk) === undefined);
    const found = missing.length > 0 ? await table.getMany(missing) : [];
    const read = new Map(
      found.flatMap((item) => (item === undefined ? [] : [[`${item.pk}${item.sk}`, item]])),
    );
    return keys.map(({ pk, sk }) => {
      const item = read.get(pk + sk);
      if (item !== undefined) known.set(pk + sk, placeIn(item));
      return item === undefined ? known.get(pk + sk) : placeIn(item);
    });
  };
}

const placeIn = ({ id, slug, project_id }: Item): Place => ({
  id: String(id),
  slug: String(slug),
  ...(project_id !== undefined && { project_id: String(project_id) }),
});
