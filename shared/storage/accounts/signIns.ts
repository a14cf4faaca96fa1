import * as z from 'zod';
import { timestampSchema } from '../../contracts/base/common.ts';
import { signInSchema } from '../../contracts/credentials/signIn.ts';
import { trustedIssuerSchema } from '../../contracts/credentials/trustedIssuers.ts';
import type { SignInStore } from '../../domain/signIn/ports.ts';
import { logWrite } from '../lists/changeLog.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { organisationKey, signInKey, trustedIssuers } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { nextVersion, readOrganisationItem } from './organisationItems.ts';

const signInItemSchema = signInSchema
  .pick({ issuer: true, client_id: true, subject_claim: true, name_claim: true, scopes: true, label: true })
  .extend({
    secret: z.object({ id: z.string(), ciphertext: z.string() }).nullable(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  });

export function signInStore(table: Table): SignInStore {
  const read: SignInStore['read'] = async (orgId) => {
    const item = await table.get(signInKey(orgId));
    return item && signInItemSchema.parse(item);
  };

  return {
    read,

    async change(orgId, change) {
      const Key = signInKey(orgId);
      return retryOnConflict(async () => {
        const organisation = await table.get(organisationKey(orgId));
        if (organisation === undefined) return false;
        const [before, registrations] = await Promise.all([read(orgId), table.query(trustedIssuers(orgId))]);
        const hasPersons = registrations.some((item) => trustedIssuerSchema.parse(item).for === 'persons');
        const { after, log } = change(before, hasPersons);
        const { committed } = await table.transact({
          // Registrations of persons are written at a version of it, too: none is of another provider.
          organisation: nextVersion(readOrganisationItem(organisation)),
          signIn: after ? { Put: { Item: { ...Key, ...after } } } : { Delete: { Key } },
          log: logWrite(orgId, log),
        });
        return committed || undefined;
      }, table.backoff);
    },
  };
}
