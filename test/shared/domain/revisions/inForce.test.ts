import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { revisionsInForce } from '../../../../shared/domain/revisions/inForce.ts';
import { type Chain, emptyRevision, type Revision } from '../../../../shared/domain/revisions/ports.ts';
import { revisionStore } from '../../../../shared/storage/revisions/revisions.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import '../../../support/seed.ts';

const CHAIN: Chain = { kind: 'suite', orgId: 'org', id: 'suite', slug: 'a', projectId: 'project' };

const revision = (n: number, token: string, previous: string | null): Revision<object> => ({
  ...emptyRevision({}),
  n,
  token,
  previous,
});

test('any part of a chain is read as it was in force, whatever edits that met another one have left', async () => {
  const attempts = fc.array(fc.record({ lost: fc.nat(2), before: fc.boolean() }), {
    minLength: 1,
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(attempts, fc.nat(40), fc.nat(40), fc.nat(2), async (all, one, other, ahead) => {
      const store = revisionStore<object, object, object>(new MemoryTable(() => 0));
      const tokenOf = (n: number): string => `5-${n}`;
      const previousOf = (n: number) => (n === 1 ? null : tokenOf(n - 1));
      for (const [index, { lost, before }] of all.entries()) {
        const n = index + 1;
        await store.putRevision(CHAIN, revision(n, tokenOf(n), previousOf(n)));
        for (let at = 0; at < lost; at++)
          await store.putRevision(CHAIN, revision(n, `${before ? 1 : 9}-${n}-${at}`, previousOf(n)));
      }
      const n = all.length;
      // Edits that are under way have put revisions that no head names yet.
      for (let at = 0; at < ahead; at++) {
        await store.putRevision(CHAIN, revision(n + 1, `1-${at}`, tokenOf(n)));
      }
      const [from, to] = [1 + Math.min(one, other), 1 + Math.max(one, other)];
      const found = await revisionsInForce(store, CHAIN, { n, token: tokenOf(n) }, { from, to });
      const wanted = all.map((_, index) => index + 1).filter((number) => number >= from && number <= to);
      expect(found.map(({ token }) => token)).toEqual(wanted.toReversed().map(tokenOf));
    }),
  );
});
