import type { Chain, NumberRange, Position, Revision, RevisionStore } from './ports.ts';

const MORE = 10;

/**
 * The revisions with these numbers that are or were in force, the newest first. Each names the one before it; and a number
 * below the head's that only one revision has is in force, so that a page in the middle of a chain is found without a walk
 * from its head. Those of edits that met another one are dropped after a day.
 */
export async function revisionsInForce<Row, Texts, Fields>(
  store: Pick<RevisionStore<Row, Texts, Fields>, 'stored'>,
  chain: Chain,
  head: Position,
  { from, to }: NumberRange,
): Promise<Revision<Fields>[]> {
  const last = Math.min(to, head.n);
  if (last < from) return [];
  let top = last;
  let revisions = await store.stored(chain, { from, to: last });
  const ofTop = () => revisions.filter(({ n }) => n === top);
  while (top < head.n && ofTop().length > 1) {
    const next = Math.min(top + MORE, head.n);
    revisions = [...revisions, ...(await store.stored(chain, { from: top + 1, to: next }))];
    top = next;
  }
  const byName = new Map(revisions.map((one) => [`${one.n} ${one.token}`, one]));
  let token = top === head.n ? head.token : ofTop()[0]?.token;
  const inForce: Revision<Fields>[] = [];
  for (let n = top; n >= from; n--) {
    const revision = byName.get(`${n} ${token}`);
    if (revision === undefined) throw new Error(`Revision ${n} ${token}, which is or was in force, is gone`);
    if (n <= last) inForce.push(revision);
    token = revision.previous ?? '';
  }
  return inForce;
}
