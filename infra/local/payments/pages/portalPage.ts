import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { OFFERS } from '../resources/catalogue.ts';
import type { View } from '../resources/change.ts';
import type { Subscription } from '../resources/objects.ts';
import { portalOf } from '../resources/portals.ts';
import { subscriptionCents, subscriptionPlan } from '../resources/subscriptions.ts';
import { dollars, escaped, htmlPage } from './html.ts';

export const PLAN_CHANGES = 'The plan is changed by POST /v1/billing/checkout.';

export function portalPage(view: View, id: string): APIGatewayProxyStructuredResultV2 {
  const { customer, return_url } = portalOf(view, id);
  const subscriptions = view.state.subscriptions.filter((candidate) => candidate.customer === customer);
  const sections = subscriptions.toReversed().map(sectionOf);
  const back = return_url === null ? '' : `<p><a href="${escaped(return_url)}">Go back</a></p>`;
  const content = sections.length === 0 ? '<p>There is no subscription.</p>' : sections.join('\n');
  return htmlPage(200, 'Simulated customer portal', `${content}\n${back}`);
}

function sectionOf(subscription: Subscription): string {
  const { id, status } = subscription;
  const plan = subscriptionPlan(subscription);
  const name = plan === undefined ? 'Subscription' : OFFERS[plan].name;
  const heading = `<h2 id="${id}">${escaped(name)}</h2>
<dl>
<dt>Status</dt><dd>${escaped(status)}</dd>
<dt>Price</dt><dd>${dollars(subscriptionCents(subscription))} per month</dd>
</dl>`;
  const form = status === 'canceled' ? '' : formOf(id);
  return `<section aria-labelledby="${id}">\n${heading}\n${form}</section>`;
}

function formOf(subscriptionId: string): string {
  return `<p>${escaped(PLAN_CHANGES)}</p>
<form method="post">
<input type="hidden" name="subscription" value="${subscriptionId}">
<button name="cancel" value="now" class="plain">Cancel now</button>
</form>
`;
}
