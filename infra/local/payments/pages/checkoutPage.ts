import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { findPrice, isMetered } from '../resources/catalogue.ts';
import type { View } from '../resources/change.ts';
import { checkoutOf, currentCheckout } from '../resources/checkouts.ts';
import type { CheckoutSession, LineItem } from '../resources/objects.ts';
import { dollars, escaped, htmlPage } from './html.ts';

export function checkoutPage(view: View, id: string): APIGatewayProxyStructuredResultV2 {
  const stored = checkoutOf(view, id);
  const session = currentCheckout(view, stored);
  if (session.status === 'complete') return paidPage(200, session);
  if (session.status === 'expired') return expiredPage(session);
  const back =
    session.cancel_url === null
      ? ''
      : `<p><a href="${escaped(session.cancel_url)}">Cancel and go back</a></p>`;
  return htmlPage(
    200,
    'Simulated checkout',
    `<dl>
${stored.lineItems.map(lineOf).join('\n')}
<dt>Due today</dt><dd>${dollars(session.amount_total)}</dd>
</dl>
<form method="post"><button type="submit">Pay ${dollars(session.amount_total)}</button></form>
${back}`,
  );
}

export function paidPage(statusCode: number, session: CheckoutSession): APIGatewayProxyStructuredResultV2 {
  const onwards = `<p><a href="${escaped(successUrl(session))}">Go on</a></p>`;
  return htmlPage(
    statusCode,
    'Already paid',
    `<p>This checkout is paid. It is not paid again.</p>\n${onwards}`,
  );
}

export function expiredPage({ cancel_url }: CheckoutSession): APIGatewayProxyStructuredResultV2 {
  const back = cancel_url === null ? '' : `<p><a href="${escaped(cancel_url)}">Go back</a></p>`;
  return htmlPage(410, 'Expired', `<p>This checkout has expired: start a new one.</p>\n${back}`);
}

export function successUrl({ success_url, id }: CheckoutSession): string {
  return new URL(success_url.replaceAll('{CHECKOUT_SESSION_ID}', id)).href;
}

function lineOf({ price: priceId, quantity }: LineItem): string {
  const price = findPrice(priceId);
  if (price === undefined) return '';
  const amount = isMetered(price)
    ? `${dollars(Number(price.unit_amount_decimal) * 1_000)} per 1,000 runs`
    : `${dollars((quantity ?? 0) * (price.unit_amount ?? 0))} per month`;
  return `<dt>${escaped(price.nickname)}</dt><dd>${amount}</dd>`;
}
