import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';
import type { PageRequest, Pages } from '../../http/httpServer.ts';
import { parseForm } from '../form.ts';
import type { Change, View } from '../resources/change.ts';
import { checkoutOf, completeCheckout, currentCheckout } from '../resources/checkouts.ts';
import { portalOf } from '../resources/portals.ts';
import { ProviderError } from '../resources/providerError.ts';
import type { PaymentStore } from '../resources/store.ts';
import { cancelSubscription, subscriptionOf } from '../resources/subscriptions.ts';
import { checkoutPage, expiredPage, paidPage, successUrl } from './checkoutPage.ts';
import { escaped, htmlPage, redirect } from './html.ts';
import { PLAN_CHANGES, portalPage } from './portalPage.ts';

export interface PageDependencies {
  readonly store: PaymentStore;
  readonly now: () => number;
  readonly baseUrl: () => string;
  /** Tries to deliver each pending event once. */
  readonly delivered: () => Promise<void>;
}

type Answer = APIGatewayProxyStructuredResultV2;

const PATH = /^\/payments\/(checkout|portal)\/([^/]+)$/;

export function createPaymentPages(dependencies: PageDependencies): Pages {
  return (request) => {
    const [, page, id] = PATH.exec(request.path) ?? [];
    return page === undefined || id === undefined ? undefined : answer(dependencies, request, page, id);
  };
}

async function answer(
  dependencies: PageDependencies,
  { method, headers, body }: PageRequest,
  page: string,
  id: string,
): Promise<Answer> {
  try {
    const show = page === 'checkout' ? checkoutPage : portalPage;
    if (method === 'GET' || method === 'HEAD') return show(viewOf(dependencies), id);
    if (method !== 'POST')
      return { ...messagePage(405, 'This page is read or posted to.'), headers: { allow: 'GET, POST' } };
    if (!isOwnOrigin(headers)) return messagePage(403, 'This form was sent by another site.');
    if (page === 'checkout') return await pay(dependencies, id);
    return await manage(dependencies, id, body.toString());
  } catch (error) {
    if (error instanceof ProviderError) return messagePage(error.status, error.message);
    throw error;
  }
}

/** Redirects the customer after the webhook's answer or failure, as Stripe does. */
async function pay(dependencies: PageDependencies, id: string): Promise<Answer> {
  const view = viewOf(dependencies);
  const session = currentCheckout(view, checkoutOf(view, id));
  if (session.status === 'complete') return paidPage(409, session);
  if (session.status === 'expired') return expiredPage(session);
  const paid = change(dependencies, (context) => completeCheckout(context, id));
  await dependencies.delivered();
  return redirect(successUrl(paid));
}

/** Like Stripe's portal it cannot change subscriptions of several prices, which all of ours are. */
const formSchema = z.strictObject({ subscription: z.string(), cancel: z.literal('now') });

async function manage(dependencies: PageDependencies, id: string, body: string): Promise<Answer> {
  const view = viewOf(dependencies);
  const portal = portalOf(view, id);
  const { data: form } = formSchema.safeParse(parseForm(body));
  if (form === undefined) {
    return messagePage(400, `Send subscription and cancel=now. ${PLAN_CHANGES}`);
  }
  const { subscription } = form;
  if (subscriptionOf(view, subscription).customer !== portal.customer) {
    return messagePage(404, 'This customer has no such subscription.');
  }
  change(dependencies, (context) => cancelSubscription(context, subscription));
  await dependencies.delivered();
  return redirect(`/payments/portal/${id}`);
}

function messagePage(statusCode: number, message: string): Answer {
  return htmlPage(statusCode, 'This did not work', `<p>${escaped(message)}</p>`);
}

function viewOf({ store, now, baseUrl }: PageDependencies): View {
  return { state: store.read(), nowMs: now(), baseUrl: baseUrl() };
}

function change<T>({ store, now, baseUrl }: PageDependencies, make: (context: Change) => T): T {
  return store.change((state) =>
    make({ state, nowMs: now(), baseUrl: baseUrl(), request: { id: null, idempotency_key: null } }),
  );
}

/** A browser sends the origin of a form's page; other clients send none. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
