import type { WrongAnswer } from '../../contracts/judgeChecks.ts';
import type { CheckedSuite, CheckStore, EndedCheck, StoredCheck } from '../../domain/judgeChecks/ports.ts';
import { DAY_SECONDS } from '../../domain/time.ts';
import { packJson, unpackJson } from '../table/blobs.ts';
import { seconds } from '../table/documents.ts';
import { checkKey, suitePartition, TTL, wrongAnswersKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

/** The reasons of judges quote texts of cases: they are kept no longer than those of a deleted case. */
const WRONG_KEPT_DAYS = 30;

const keyOf = ({ orgId, id }: CheckedSuite) => checkKey(suitePartition(orgId, id));

const checkIn = ({ check_id, started_at, status, ended }: Item): StoredCheck => ({
  check_id: String(check_id),
  started_at: String(started_at),
  status: status as StoredCheck['status'],
  ended: ended === undefined ? undefined : (unpackJson(ended as Uint8Array) as EndedCheck),
});

const IS_OWN_PENDING = 'check_id = :id AND #status = :pending';
const NAMES = { '#status': 'status' };

export const checkStore = (table: Table): CheckStore => ({
  async find(suite) {
    const item = await table.get(keyOf(suite));
    return item && checkIn(item);
  },

  async wrong({ orgId, id }) {
    const item = await table.get(wrongAnswersKey(suitePartition(orgId, id)));
    return item === undefined ? [] : (unpackJson(item.wrong as Uint8Array) as WrongAnswer[]);
  },

  async begin(suite, { check_id, started_at }, pendingSince) {
    const { updated, item } = await table.update({
      Key: keyOf(suite),
      UpdateExpression: 'SET check_id = :id, started_at = :started, #status = :pending',
      ConditionExpression:
        'attribute_not_exists(check_id) OR #status <> :pending OR started_at < :since OR check_id = :id',
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: {
        ':id': check_id,
        ':started': started_at,
        ':pending': 'pending',
        ':since': pendingSince,
      },
    });
    return updated || item === undefined ? { check_id } : checkIn(item);
  },

  async end(suite, check_id, { wrong, ...ended }) {
    const { orgId, id } = suite;
    const expiry = seconds(ended.ended_at) + WRONG_KEPT_DAYS * DAY_SECONDS;
    const wrongAnswers = {
      ...wrongAnswersKey(suitePartition(orgId, id)),
      [TTL]: expiry,
      wrong: packJson(wrong),
    };
    await table.transact({
      check: {
        Update: {
          Key: keyOf(suite),
          UpdateExpression: 'SET #status = :done, ended = :ended',
          ConditionExpression: IS_OWN_PENDING,
          ExpressionAttributeNames: NAMES,
          ExpressionAttributeValues: {
            ':id': check_id,
            ':pending': 'pending',
            ':done': 'done',
            ':ended': packJson(ended),
          },
        },
      },
      wrong: { Put: { Item: wrongAnswers } },
    });
  },

  async fail(suite, check_id) {
    await table.update({
      Key: keyOf(suite),
      UpdateExpression: 'SET #status = :failed',
      ConditionExpression: IS_OWN_PENDING,
      ExpressionAttributeNames: NAMES,
      ExpressionAttributeValues: { ':id': check_id, ':pending': 'pending', ':failed': 'failed' },
    });
  },
});
