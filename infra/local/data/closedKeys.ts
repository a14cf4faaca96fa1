import { readFileSync } from 'node:fs';
import { LIMIT } from '../../../shared/domain/limits.ts';
import type { DataFolder } from './dataFolder.ts';
import type { LocalApiKey } from './firstStart.ts';

/** Of the folder's organisation: how many of its provider keys the folder's vault key does not open. */
export async function countClosedKeys(
  { vaultKeyFile }: DataFolder,
  { key, isKnown }: LocalApiKey,
): Promise<number> {
  if (!isKnown) return 0;
  const [
    { runtimeFromEnv },
    { sha256OfKey },
    { accountStore },
    { byokKeyStore },
    { projectReader },
    { openKey },
    { localVault },
  ] = await Promise.all([
    import('../../../shared/runtime/runtime.ts'),
    import('../../../shared/domain/accounts/apiKey.ts'),
    import('../../../shared/storage/accounts/accounts.ts'),
    import('../../../shared/storage/accounts/byokKeys.ts'),
    import('../../../shared/storage/suites/readers/projectReader.ts'),
    import('../../../shared/domain/byok/keys.ts'),
    import('../../../shared/vault/localVault.ts'),
  ]);
  const { table, now } = runtimeFromEnv();
  const principal = await accountStore(table, now).principalOfKey(sha256OfKey(key));
  if (principal === undefined) return 0;
  const stored = byokKeyStore(table);
  const { orgId } = principal;
  const projects = await projectReader(table).page(orgId, { page: 1, pageSize: LIMIT.projects });
  const owners = [null, ...projects.items.map(({ id }) => id)];
  const pages = owners.map((owner) => stored.page(orgId, owner, { page: 1, pageSize: LIMIT.byokKeys }));
  const vault = localVault(readFileSync(vaultKeyFile));
  const opened = await Promise.all(
    (await Promise.all(pages))
      .flatMap(({ items }) => items)
      .map(async ({ id }) => {
        const sealed = await stored.sealed(orgId, id);
        return (
          sealed === undefined ||
          openKey({ vault }, sealed).then(
            () => true,
            () => false,
          )
        );
      }),
  );
  return opened.filter((isOpen) => !isOpen).length;
}
