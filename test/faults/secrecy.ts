import { zstdDecompressSync } from 'node:zlib';
import type { Item } from '../../shared/storage/table/table.ts';
import type { Clients } from './clients.ts';
import { insist } from './insist.ts';
import type { SimulatedService } from './simulatedService.ts';

const ORG_PK = /^ORG#([^#]+)/;

/** Nothing that is stored, sent, logged or answered holds a key, packed or not. */
export function auditSecrecy(service: SimulatedService, stored: readonly Item[], secret: string): void {
  const places: Record<string, readonly string[]> = {
    table: stored.map(textOf),
    queue: [...service.queue.bodies, ...service.deadLetters.bodies],
    log: service.lines,
    answers: service.answers.map(({ text }) => text),
  };
  for (const [place, texts] of Object.entries(places)) {
    insist(!texts.some((text) => text.includes(secret)), `a key is to be read in the ${place}`);
  }
}

/** What is left of a key that was revoked opens nothing. */
export function auditRevoked({ provider }: SimulatedService, stored: readonly Item[]): void {
  for (const { sk, ciphertext } of stored) {
    const [kind, id = ''] = String(sk).split('#');
    const isRevoked = kind === 'BYOKKEY' && provider.keys.revokedIds.has(id);
    insist(!isRevoked || ciphertext === undefined, `the ciphertext of the revoked key ${id} is still there`);
  }
}

/** What lies below one organisation, and what it was answered, says nothing of another. */
export function auditSeparation(
  { orgs, answers }: SimulatedService,
  clients: Clients,
  stored: readonly Item[],
): void {
  if (orgs.length < 2) return;
  const own = stored.map((item) => ({ orgId: ORG_PK.exec(String(item.pk))?.[1], text: textOf(item) }));
  for (const { orgId, project } of orgs) {
    const suites = clients.submissions.filter(({ suite }) => suite.org.orgId === orgId);
    const names = new Set([
      orgId,
      project.id,
      ...suites.flatMap(({ label, suite }) => [label, suite.suite.id]),
    ]);
    for (const place of [...own, ...answers]) {
      if (place.orgId === undefined || place.orgId === orgId) continue;
      const found = [...names].find((name) => place.text.includes(name));
      insist(found === undefined, `${found} of organisation ${orgId} is to be read in ${place.text}`);
    }
  }
}

const ZSTD_MAGIC = 0xfd2fb528;

/** All that an item says, unpacked: its parts by lines. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Uint8Array) return unpacked(Buffer.from(value));
  const fields = value instanceof Set ? [...value] : Object.entries(value).flat();
  return fields.map(textOf).join('\n');
}

/** What is packed may have its format in a byte before it. */
function unpacked(bytes: Buffer): string {
  const packed = [bytes, bytes.subarray(1)].find(
    (from) => from.length >= 4 && from.readUInt32LE() === ZSTD_MAGIC,
  );
  return packed === undefined ? bytes.toString('latin1') : zstdDecompressSync(packed).toString();
}
