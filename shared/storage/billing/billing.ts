import * as z from 'zod';
import type { BillingStore, SubscriptionAnswer } from '../../domain/billing/ports.ts';
import { putNew } from '../table/documents.ts';
import { billingKey, customerKey } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { changePlan } from './planChanges.ts';

/**
 * `questions` numbers the questions to the provider; `answered` is the newest one whose answer is applied. An answer is
 * at least as new as the event that caused its question, so that an older answer can be ignored.
 */
const billingItemSchema = z.object({
  customer_id: z.string().nullable().default(null),
  questions: z.int().default(0),
});

/** The first customer that is stored stays. */
const setCustomer = (orgId: string, customerId: string): Write => ({
  Update: {
    Key: billingKey(orgId),
    UpdateExpression: 'SET customer_id = :customer',
    ConditionExpression: 'attribute_not_exists(customer_id)',
    ExpressionAttributeValues: { ':customer': customerId },
  },
});

const subscriptionFields = ({ subscription }: SubscriptionAnswer) =>
  subscription && {
    id: subscription.id,
    status: subscription.status,
    plan: subscription.plan ?? null,
    cancel_at: subscription.cancelAt,
  };

const applyAnswer = (answer: SubscriptionAnswer): Write => ({
  Update: {
    Key: billingKey(answer.orgId),
    UpdateExpression: `SET answered = :question, subscription = :subscription${answer.customerGone ? ' REMOVE customer_id' : ''}`,
    ConditionExpression: 'attribute_not_exists(answered) OR answered < :question',
    ExpressionAttributeValues: {
      ':question': answer.question,
      ':subscription': subscriptionFields(answer),
    },
  },
});

export function billingStore(table: Table): BillingStore {
  return {
    async find(orgId) {
      const item = await table.get(billingKey(orgId));
      return item && { customerId: billingItemSchema.parse(item).customer_id };
    },

    async organisationOfCustomer(customerId) {
      const item = await table.get(customerKey(customerId));
      return item && String(item.org_id);
    },

    async keepCustomer(orgId, customerId) {
      const outcome = await table.transact({
        billing: setCustomer(orgId, customerId),
        customer: putNew(customerKey(customerId), { org_id: orgId }),
      });
      if (outcome.committed) return customerId;
      const kept = billingItemSchema.parse((await table.get(billingKey(orgId))) ?? {}).customer_id;
      if (kept === null) throw new Error(`Customer ${customerId} is another organisation's already`);
      return kept;
    },

    async ask(orgId) {
      const { item } = await table.update({
        Key: billingKey(orgId),
        UpdateExpression: 'ADD questions :one',
        ExpressionAttributeValues: { ':one': 1 },
      });
      const { questions: question, customer_id: customerId } = billingItemSchema.parse(item);
      return { question, customerId };
    },

    settle: (answer) =>
      changePlan(table, {
        orgId: answer.orgId,
        plan: answer.plan,
        atMs: answer.atMs,
        alongside: { billing: applyAnswer(answer) },
      }),
  };
}
