import type { Block } from '../revisions/blocks.ts';
import { placeOf } from '../revisions/blocks.ts';
import { tokenMs } from '../revisions/ids.ts';
import type { Position } from '../revisions/ports.ts';
import { DAY_MS } from '../time.ts';
import { DELETED_KEPT_MS, type Kept, runsGoneAfterMs } from './kept.ts';
import type { Attempt, KeptRevision, TextsPosition, TextsPurge, TextsStore } from './ports.ts';

/** By then every edit that was under way has ended: what it wrote is in force, or is never read. */
const EDITS_ENDED_AFTER_MS = DAY_MS;
const REVISIONS_A_PAGE = 25;

interface TextsDeps extends Kept {
  readonly texts: TextsStore;
  readonly hasTime: () => boolean;
}

/**
 * Drops what edits left behind, the texts of deleted members, and those that no result can name any more. It may die
 * at any moment, be repeated, and run twice at once.
 */
export async function purgeTexts(deps: TextsDeps, purge: TextsPurge): Promise<void> {
  const { texts, now } = deps;
  const { chain } = purge;
  const head = await texts.position(chain);
  if (head === undefined) return purgeWithoutHead(deps, purge);
  const last = await texts.revision(chain, head);
  const settled = await settle(deps, purge, { head, last });
  let position: TextsPosition = { ...purge.position, settled };
  const erased = await walk(deps, { ...purge, position }, { what: 'erased', keptMs: DELETED_KEPT_MS });
  position = { ...position, erased: erased.reached };
  await texts.save({ ...purge, position });
  const keptMs = await runsGoneAfterMs(deps, chain.orgId);
  const dropped = await walk(deps, { ...purge, position }, { what: 'dropped', keptMs });
  position = { ...position, dropped: dropped.reached };
  const isDone = [settled.n, erased.reached, dropped.reached].every((n) => n === head.n);
  if (isDone && isQuiet(purge, last, now())) return texts.finish(purge);
  const nextAtMs = Math.min(now() + DAY_MS, erased.nextAtMs, dropped.nextAtMs);
  await texts.save({ ...purge, position, nextAtMs });
}

/** A chain that was never made, or of which a purge has dropped everything; or else one that a purge waits for. */
async function purgeWithoutHead({ texts, now }: TextsDeps, purge: TextsPurge): Promise<void> {
  if (await texts.isPlaced(purge.chain)) return texts.save({ ...purge, nextAtMs: now() + DAY_MS });
  await texts.dropAll(purge.chain);
  await texts.finish(purge);
}

/** No edit that has not announced a purge of its own is still under way. */
function isQuiet({ announcedAtMs }: TextsPurge, last: KeptRevision | undefined, nowMs: number): boolean {
  const quietMs = nowMs - 2 * EDITS_ENDED_AFTER_MS;
  return announcedAtMs <= quietMs && (last === undefined || Date.parse(last.at) <= quietMs);
}

/** Drops what edits wrote that died, or met another one. */
async function settle(
  { texts, now }: TextsDeps,
  { chain, position: { settled } }: TextsPurge,
  { head, last }: { readonly head: Position; readonly last: KeptRevision | undefined },
): Promise<TextsPosition['settled']> {
  const endedMs = now() - EDITS_ENDED_AFTER_MS;
  const attempts = await texts.attempts(chain, settled.n);
  const inForce = chainOf(attempts, { from: settled.n, head });
  const isOld = ({ token }: Pick<Attempt, 'token'>): boolean => tokenMs(token) < endedMs;
  const lost = attempts.filter((one) => one.n > settled.n && inForce.get(one.n) !== one && isOld(one));
  await texts.dropRevisions(chain, lost);
  const present = (last?.blocks ?? []).flatMap(({ rows, texts: name }) => [rows, name]);
  // A baseline has the token of its edit as name.
  const namesInForce = [...inForce.values()].flatMap(({ token, names }) => [token, ...names]);
  const named = new Set([...namesInForce, ...present]);
  if (settled.ms < endedMs)
    await texts.dropBlocks(chain, { fromMs: settled.ms, toMs: endedMs }, (name) => !named.has(name));
  const young = attempts.filter((one) => one.n > settled.n && !isOld(one)).map(({ n }) => n);
  return { n: Math.min(head.n, ...young.map((n) => n - 1)), ms: Math.max(settled.ms, endedMs) };
}

/** By number. Each revision names the one before it. */
function chainOf(
  attempts: readonly Attempt[],
  { from, head }: { readonly from: number; readonly head: Position },
): ReadonlyMap<number, Attempt> {
  const byName = new Map(attempts.map((one) => [`${one.n} ${one.token}`, one]));
  const inForce = new Map<number, Attempt>();
  let { token } = head;
  for (let n = head.n; n >= Math.max(from, 1); n--) {
    const attempt = byName.get(`${n} ${token}`);
    if (attempt === undefined) throw new Error(`Revision ${n} ${token}, which is or was in force, is gone`);
    inForce.set(n, attempt);
    token = attempt.previous ?? '';
  }
  return inForce;
}

interface Walked {
  readonly reached: number;
  /** When the revision after it is due. */
  readonly nextAtMs: number;
}

/** What a walk does, and how long after an edit. */
interface Walk {
  readonly what: 'erased' | 'dropped';
  readonly keptMs: number;
}

/** From one revision to the next, as far as they are settled, and as long ago. */
async function walk(deps: TextsDeps, purge: TextsPurge, how: Walk): Promise<Walked> {
  const { settled, [how.what]: from } = purge.position;
  let reached = from;
  while (reached < settled.n && deps.hasTime()) {
    const page = await deps.texts.revisions(purge.chain, reached, REVISIONS_A_PAGE);
    const walked = await walkPage(deps, purge, how, { page, reached });
    if (walked.nextAtMs !== undefined) return { ...walked, nextAtMs: walked.nextAtMs };
    reached = walked.reached;
  }
  return { reached, nextAtMs: reached < settled.n ? deps.now() : Number.POSITIVE_INFINITY };
}

/** `nextAtMs`: of a revision that is not due yet. */
async function walkPage(
  deps: TextsDeps,
  purge: TextsPurge,
  how: Walk,
  { page, reached }: { readonly page: readonly KeptRevision[]; readonly reached: number },
): Promise<{ readonly reached: number; readonly nextAtMs?: number }> {
  const byNumber = new Map(page.map((revision) => [revision.n, revision]));
  let n = reached;
  for (let after = byNumber.get(n + 1); after !== undefined; after = byNumber.get(n + 1)) {
    if (after.n > purge.position.settled.n) break;
    const dueAtMs = dueAt(after, how);
    if (dueAtMs > deps.now()) return { reached: n, nextAtMs: dueAtMs };
    await drop(deps, purge, how, { before: byNumber.get(n), after });
    n = after.n;
  }
  if (n === reached)
    throw new Error(`Revision ${n + 1} of the ${purge.chain.kind} ${purge.chain.id} is gone`);
  return { reached: n };
}

async function drop(
  deps: TextsDeps,
  purge: TextsPurge,
  { what }: Walk,
  { before, after }: { readonly before: KeptRevision | undefined; readonly after: KeptRevision },
): Promise<void> {
  if (what === 'dropped') await deps.texts.dropTexts(purge.chain, retiredBetween(before, after));
  else if (before !== undefined) await erase(deps, purge, before, after.erased);
}

/** At once where there is nothing to erase. */
const dueAt = ({ at, erased }: KeptRevision, { what, keptMs }: Walk): number =>
  what === 'dropped' || erased.length > 0 ? Date.parse(at) + keptMs : 0;

/** Items with texts that the one revision names, and the next one does not. */
function retiredBetween(before: KeptRevision | undefined, after: KeptRevision): Block[] {
  const named = new Set(after.blocks.map(({ texts }) => texts));
  return (before?.blocks ?? []).filter(({ texts }) => !named.has(texts));
}

/** Takes texts of members out of all items that held them up to a revision, back to those that are dropped. */
async function erase(
  deps: TextsDeps,
  purge: TextsPurge,
  last: KeptRevision,
  numbers: readonly number[],
): Promise<void> {
  const { chain } = purge;
  const open = new Map([[last.n, new Set(numbers)]]);
  for (let n = last.n; open.size > 0; n = Math.max(...open.keys())) {
    const memberNumbers = open.get(n) ?? new Set();
    open.delete(n);
    const [revision] = n === last.n ? [last] : await deps.texts.revisions(chain, n, 1);
    if (revision?.n !== n) continue;
    for (const [earlier, some] of await erasedIn(deps, purge, revision, memberNumbers)) {
      open.set(earlier, new Set([...(open.get(earlier) ?? []), ...some]));
    }
  }
}

/** Answers which revisions before this one named other items with texts of these members. */
async function erasedIn(
  { texts }: TextsDeps,
  { chain, position }: TextsPurge,
  { blocks, lastNumber }: KeptRevision,
  memberNumbers: ReadonlySet<number>,
): Promise<(readonly [n: number, numbers: readonly number[]])[]> {
  const held = [...memberNumbers].filter((number) => number <= lastNumber);
  const earlier: (readonly [number, readonly number[]])[] = [];
  for (const [place, some] of Map.groupBy(held, (number) => placeOf(blocks, number))) {
    const block = blocks[place];
    if (block === undefined) continue;
    await texts.erase(chain, block, new Set(some));
    if (block.since > Math.max(1, position.dropped)) earlier.push([block.since - 1, some]);
  }
  return earlier;
}
