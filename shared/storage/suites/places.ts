import { placeName } from '../../domain/revisions/ids.ts';
import { ByName } from '../revisions/byName.ts';
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

/** `salt`: of a suite, secret. */
export const putPlace = (orgId: string, place: Place & { readonly salt?: string }): Write =>
  putNew(placeKey(orgId, placeName(place.id)), { ...place });

/** Those of the ids, or of cases or scorers with these ids, in their order. */
export function placeReader(table: Table) {
  const known = new ByName<Place | undefined>(PLACES_MAX);
  return (orgId: string, ids: readonly string[]): Promise<readonly (Place | undefined)[]> =>
    known.all(
      ids.map((id) => placeKey(orgId, placeName(id))),
      async (missing) =>
        (await table.getMany(missing)).map((item) => ({ value: item && placeIn(item), size: 1 })),
    );
}

const placeIn = ({ id, slug, project_id }: Item): Place => ({
  id: String(id),
  slug: String(slug),
  ...(project_id !== undefined && { project_id: String(project_id) }),
});
