import * as z from 'zod';
import { PLANS } from './auth.ts';
import { uuidSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';
import type { CHECKOUT_RESULTS } from './base/pathParameters.ts';
import { READ, WRITE } from './base/rights.ts';

/** Plans that can be bought; operators assign the others. */
export const PAID_PLANS = ['pro', 'scale'] as const;
export type PaidPlanId = (typeof PAID_PLANS)[number];

const ABSOLUTE_URL = /^https?:\/\/[^\s\p{Cc}/?#@\\]+([/?#][^\s\p{Cc}\\]*)?$/iu;

/** Sent to the payment provider unchanged, including `{CHECKOUT_SESSION_ID}`. */
const returnUrlSchema = z
  .string()
  .max(2_048, 'at most 2,048 characters')
  .refine(
    (url) => ABSOLUTE_URL.test(url) && URL.canParse(url),
    'must be an absolute http or https URL without user information',
  );

export const getUsage = defineContract('billing/usage', 'GET /v1/billing/usage', {
  summary: "The organisation's plan and the runs it has used this month",
  scope: 'read',
  responses: {
    200: z.object({
      plan: z.enum(PLANS),
      plan_name: z.string(),
      /** -1: unlimited. */
      monthly_limit: z.int(),
      current_usage: z.int(),
      retention_days: z.int(),
      /** Above 100 beyond the monthly runs; two decimals. */
      usage_percentage: z.number(),
      /** Of the plan and of the service. */
      limits: z.object({
        /** -1: unlimited. */
        monthly_runs: z.int(),
        retention_days: z.int(),
        api_keys: z.int(),
        projects: z.int(),
        suites_per_project: z.int(),
        scorers_per_project: z.int(),
        cases_per_suite: z.int(),
        /** Of the organisation itself; those of its projects are not among them. */
        byok_keys: z.int(),
        byok_keys_per_project: z.int(),
        /** At one provider. */
        judge_calls_at_once: z.int(),
        waiting_judged_outputs: z.int(),
      }),
      /** Projects with runs this month, the most first; together `current_usage`. */
      by_project: z.array(
        z.object({
          /** Null: counted without a project. */
          project_id: uuidSchema.nullable(),
          /** Both null without a project, and 30 days after the project was deleted. */
          slug: z.string().nullable(),
          name: z.string().nullable(),
          is_deleted: z.boolean(),
          runs: z.int(),
        }),
      ),
    }),
  },
  errors: ['NOT_FOUND'],
  rights: { table: READ },
});

export const createCheckout = defineContract('billing/checkout', 'POST /v1/billing/checkout', {
  summary: 'Buy a plan, or move the subscription to it: the address to send the customer to',
  reauthentication: 'always',
  body: z.object({
    plan: z.enum(PAID_PLANS),
    /** The page after the checkout; left out, it is a page of this service. */
    success_url: returnUrlSchema.optional(),
    cancel_url: returnUrlSchema.optional(),
  }),
  example: { plan: 'pro' },
  responses: { 200: z.object({ checkout_url: z.string() }) },
  errors: ['NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE', 'BILLING_NOT_CONFIGURED'],
  rights: {
    table: [...WRITE, 'ConditionCheckItem'],
    queue: 'send',
    payments: true,
    baseUrl: true,
  },
});

export type CheckoutResult = (typeof CHECKOUT_RESULTS)[number];

/** Not part of the contract, so that functions can use the path without bundling the contract. */
export const CHECKOUT_RESULT_PATH = '/v1/billing/checkout/:result';

export const showCheckoutResult = defineContract('billing/checkoutResult', `GET ${CHECKOUT_RESULT_PATH}`, {
  summary: 'The page where a customer returns from a checkout that named no page of its own',
  access: 'public',
  isPage: true,
  responses: { 200: z.string() },
});

export const createPortal = defineContract('billing/portal', 'POST /v1/billing/portal', {
  summary: 'The address of a customer portal: subscription, invoices and payment methods',
  reauthentication: 'always',
  duringDeletion: true,
  responses: { 200: z.object({ portal_url: z.string() }) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'PAYMENT_PROVIDER_UNAVAILABLE', 'BILLING_NOT_CONFIGURED'],
  /** The first portal session creates the customer at the provider. */
  rights: { table: ['PutItem', 'UpdateItem'], payments: true },
});

/** The payment provider calls it and signs the body. */
export const receiveWebhook = defineContract('billing/webhook', 'POST /v1/billing/webhook', {
  summary: 'Takes the events of the payment provider',
  access: 'public',
  rateClass: 'none',
  headers: z.object({ 'stripe-signature': z.string().optional() }),
  // Far more than an event of the provider needs, and quick to verify a signature of.
  bodyBytesMax: 262_144,
  rawBody: true,
  responses: { 200: z.object({ received: z.boolean() }) },
  errors: ['PAYMENT_PROVIDER_UNAVAILABLE', 'BILLING_NOT_CONFIGURED'],
  rights: {
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    queue: 'send',
    payments: true,
  },
});

export const billingContracts = [getUsage, createCheckout, showCheckoutResult, createPortal, receiveWebhook];
