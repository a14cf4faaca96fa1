import type { Credential, TokenCredential } from '../../contracts/base/credentials.ts';
import type { AccountStore } from '../../domain/accounts/ports.ts';
import { timestamp } from '../../domain/time.ts';
import {
  apiKeyKey,
  apiKeyPointerKey,
  endedSessionsKey,
  organisationKey,
  trustedIssuerKey,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { readApiKeyItem } from './apiKeyItems.ts';
import { readOrganisationItem } from './organisationItems.ts';

export function accountStore(table: Table, now: () => number): AccountStore {
  return {
    async organisation(orgId) {
      const item = await table.get(organisationKey(orgId));
      return item && readOrganisationItem(item);
    },

    async principalOfKey(sha256) {
      const item = await table.get(apiKeyKey(sha256));
      if (item === undefined) return undefined;
      const key = await readApiKeyItem(table, item);
      if (key === undefined) return undefined;
      if (key.valid_until !== undefined && key.valid_until <= timestamp(now())) return undefined;
      return {
        orgId: key.org_id,
        credential: { type: 'api_key', key_id: key.id, label: key.name },
        plan: key.plan,
        planVersion: key.plan_version,
        retainedFrom: key.retained_from ?? null,
        projectId: key.project_id,
        scope: key.scope,
        lastUsedAt: key.last_used_at ?? null,
        expiresAt: key.valid_until ?? null,
        deletesAt: key.deletes_at,
      };
    },

    async touchKey(sha256, usedAt, notAfter) {
      await table.update({
        Key: apiKeyKey(sha256),
        UpdateExpression: 'SET last_used_at = :at',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at <= :after)',
        ExpressionAttributeValues: { ':at': usedAt, ':after': notAfter },
      });
    },

    async principalOfToken(claims) {
      const { orgId, projectId, scope, credential, expiresAt, session } = claims;
      const origin =
        'registration_id' in credential
          ? trustedIssuerKey(orgId, credential.registration_id)
          : apiKeyPointerKey(orgId, credential.key_id);
      const ended = credential.type === 'person' ? [endedSessionsKey(orgId, credential)] : [];
      const [organisation, still, ofPerson] = await table.getMany([organisationKey(orgId), origin, ...ended]);
      if (organisation === undefined || still === undefined) return undefined;
      const ends =
        credential.type === 'person'
          ? [ofPerson?.ended_at, organisation.persons_ended_at]
          : [still.sessions_valid_after];
      // Missing without a former sign-out, with which no time compares.
      if (ends.some((end) => Number(claims.openedAtMs) <= Number(end))) return undefined;
      const {
        plan,
        plan_version: planVersion,
        retained_from,
        deletes_at: deletesAt,
      } = readOrganisationItem(organisation);
      const retainedFrom = retained_from ?? null;
      const ofPlan = { plan, planVersion, retainedFrom, deletesAt };
      return {
        orgId,
        credential: labelled(credential, still),
        ...ofPlan,
        projectId,
        scope,
        expiresAt,
        session,
      };
    },
  };
}

function labelled(credential: TokenCredential, { name }: Item): Credential {
  if (credential.type === 'github_actions')
    return { ...credential, label: `${credential.repository}, ${credential.workflow}` };
  if (credential.type === 'person') return { ...credential, label: credential.name ?? credential.subject };
  return { ...credential, label: credential.type === 'ci_job' ? credential.name : String(name) };
}
