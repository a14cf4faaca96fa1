import type { PersonStore } from '../../domain/accounts/ports.ts';
import { PERSON_SECONDS } from '../../domain/limits.ts';
import { logWrite } from '../lists/changeLog.ts';
import { endedSessionsKey, organisationKey, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** By then what has ended is past its own end, whichever clock it was made by. */
const KEPT_SECONDS = PERSON_SECONDS + 3_600;

export const personStore = (table: Table): PersonStore => ({
  async endSessions(orgId, person, untilMs, log) {
    const isLater = (name: string) => `(attribute_not_exists(${name}) OR ${name} < :until)`;
    const Update =
      person === 'all'
        ? {
            Key: organisationKey(orgId),
            UpdateExpression: 'SET persons_ended_at = :until',
            ConditionExpression: `attribute_exists(pk) AND ${isLater('persons_ended_at')}`,
            ExpressionAttributeValues: { ':until': untilMs },
          }
        : {
            Key: endedSessionsKey(orgId, person),
            UpdateExpression: `SET ended_at = :until, ${TTL} = :ttl`,
            ConditionExpression: isLater('ended_at'),
            ExpressionAttributeValues: {
              ':until': untilMs,
              ':ttl': Math.ceil(untilMs / 1_000) + KEPT_SECONDS,
            },
          };
    // Where the condition fails, they have ended at a later time, and that is logged.
    if (log === undefined) await table.update(Update);
    else await table.transact({ sessions: { Update }, log: logWrite(orgId, log) });
  },
});
