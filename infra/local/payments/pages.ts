import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { escaped, htmlPage, paragraph } from '../../../shared/http/htmlPage.ts';
import type { PageRequest, Pages } from '../http/httpServer.ts';
import { describePrice, dueToday, findPrice } from './catalogue.ts';
import {
  changeSubscription,
  checkoutOf,
  completeCheckout,
  type Moment,
  portalOf,
  requireItem,
} from './provider.ts';
import { ProviderError } from './providerError.ts';
import type { Checkout, PaymentStore, Subscription } from './store.ts';

export interface PageDependencies {
  readonly store: PaymentStore;
  readonly now: () => number;
  /** Tries to deliver each waiting event once. */
  readonly deliver: () => Promise<void>;
}

type Answer = APIGatewayProxyStructuredResultV2;

const PATH = /^\/payments\/(checkout|portal)\/([^/]+)$/;

export function createPaymentPages(dependencies: PageDependencies): Pages {
  return (request) => {
    const [, kind, id] = PATH.exec(request.path) ?? [];
    if (kind === undefined || id === undefined) return undefined;
    return answer(dependencies, request, kind === 'checkout' ? checkoutPage(id) : portalPage(id));
  };
}

interface Page {
  show(moment: Moment): Answer;
  act(moment: Moment, form: URLSearchParams): Answer;
}

async function answer(
  { store, now, deliver }: PageDependencies,
  request: PageRequest,
  page: Page,
): Promise<Answer> {
  const { method, headers, body } = request;
  const withMoment = <T>(make: (moment: Moment) => T): T => store((state) => make({ state, nowMs: now() }));
  try {
    if (method === 'GET' || method === 'HEAD') return withMoment((moment) => page.show(moment));
    if (method !== 'POST')
      return { ...message(405, 'This page is read or posted to.'), headers: { allow: 'GET, POST' } };
    if (!isOwnOrigin(headers)) return message(403, 'This form was sent by another site.');
    const acted = withMoment((moment) => page.act(moment, new URLSearchParams(body.toString())));
    // The customer is sent on when the webhook has answered or failed, as Stripe does.
    await deliver();
    return acted;
  } catch (error) {
    if (error instanceof ProviderError) return message(error.status, error.message);
    throw error;
  }
}

const checkoutPage = (id: string): Page => ({
  show(moment) {
    const checkout = checkoutOf(moment, id);
    if (checkout.status !== 'open') return closedPage(200, checkout);
    const prices = checkout.prices.flatMap((price) => findPrice(price) ?? []);
    const lines = prices.map((price) => definition(price.nickname, describePrice(price)));
    return page(
      200,
      'Simulated checkout',
      `<dl>${lines.join('\n')}${definition('Due today', dueToday(prices))}</dl>
<form method="post"><button>Pay ${dueToday(prices)}</button></form>
${link(checkout.cancel_url, 'Cancel and go back')}`,
    );
  },
  act(moment) {
    const checkout = checkoutOf(moment, id);
    if (checkout.status !== 'open') return closedPage(409, checkout);
    return redirect(successUrl(completeCheckout(moment, id)));
  },
});

const closedPage = (paidStatus: number, checkout: Checkout): Answer =>
  checkout.status === 'complete'
    ? page(
        paidStatus,
        'Already paid',
        `${paragraph('This checkout is paid. It is not paid again.')}${link(successUrl(checkout), 'Go on')}`,
      )
    : page(
        410,
        'Expired',
        `${paragraph('This checkout has expired: start a new one.')}${link(checkout.cancel_url, 'Go back')}`,
      );

const successUrl = ({ success_url, id }: Checkout): string =>
  new URL(success_url.replaceAll('{CHECKOUT_SESSION_ID}', id)).href;

/** Like Stripe's portal it cannot change subscriptions of several prices, which all of ours are. */
const portalPage = (id: string): Page => ({
  show(moment) {
    const { customer } = portalOf(moment, id);
    const subscriptions = moment.state.subscriptions.filter(
      (subscription) => subscription.customer === customer,
    );
    const content = subscriptions.toReversed().map(subscriptionSection).join('\n');
    return page(200, 'Simulated customer portal', content || paragraph('There is no subscription.'));
  },
  act(moment, form) {
    const { customer } = portalOf(moment, id);
    const { state } = moment;
    const subscriptions = state.subscriptions.filter((subscription) => subscription.customer === customer);
    const { id: ended } = requireItem(subscriptions, 'subscription', form.get('cancel') ?? '');
    changeSubscription(moment, ended, (subscription) => {
      subscription.status = 'canceled';
    });
    return redirect(`/payments/portal/${id}`);
  },
});

function subscriptionSection({ id, status, items }: Subscription): string {
  const lines = items.data.map(({ price }) => definition(price.nickname, describePrice(price)));
  const cancel = `<p>The plan is changed by POST /v1/billing/checkout.</p>
<form method="post"><button name="cancel" value="${id}">Cancel now</button></form>`;
  return `<section><dl>${lines.join('\n')}${definition('Status', status)}</dl>
${status === 'canceled' ? '' : cancel}</section>`;
}

const definition = (term: string, text: string): string =>
  `<dt>${escaped(term)}</dt><dd>${escaped(text)}</dd>`;
const link = (url: string, text: string): string => `<p><a href="${escaped(url)}">${escaped(text)}</a></p>`;

const message = (statusCode: number, text: string): Answer =>
  page(statusCode, 'This did not work', paragraph(text));

const STYLE = `
.simulated { border: 1px solid #8a6d00; background: #fff8dc; padding: .5rem 1rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { font-weight: bold }
dd { margin: 0 }
button { font: inherit; padding: .5rem 1rem; border: 1px solid #0b4f9e; background: #0b4f9e; color: #fff; cursor: pointer }
:focus-visible { outline: 3px solid #d98200; outline-offset: 2px }
`;

const SIMULATED =
  '<p class="simulated">This payment provider is simulated: it needs no card, and no money moves.</p>';

/** `content` is HTML. */
const page = (statusCode: number, title: string, content: string): Answer => ({
  statusCode,
  ...htmlPage({
    title,
    content: `${SIMULATED}\n${content}`,
    style: STYLE,
    // Not 'self': browsers apply it to redirects after a form, and a payment redirects to the caller's success_url.
    formAction: 'http: https:',
    // With no-referrer a browser sends the form with "Origin: null".
    referrerPolicy: 'same-origin',
  }),
});

/** 303 makes the browser continue with GET. */
const redirect = (location: string): Answer => ({
  statusCode: 303,
  headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin', location },
});

/** A browser sends the origin of a form's page; other clients send none. */
function isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
