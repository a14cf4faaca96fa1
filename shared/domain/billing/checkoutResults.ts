import { CHECKOUT_RESULT_PATH, type CheckoutResult } from '../../contracts/billing.ts';
import { invalidField } from '../errors.ts';

/** Where clients reach the service. Undefined if the deployment has no BASE_URL. */
export type BaseUrl = () => string | undefined;

const FIELD = { success: 'success_url', cancelled: 'cancel_url' } as const;

export function resultPage(baseUrl: BaseUrl, result: CheckoutResult): string {
  const base = baseUrl();
  if (base === undefined) {
    throw invalidField(
      FIELD[result],
      'is required, since this deployment does not know its own address: send it, or set the variable BASE_URL',
    );
  }
  return base + CHECKOUT_RESULT_PATH.replace(':result', result);
}

interface PageText {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/** These pages are public: they show nothing of an organisation, and no text from the address. */
export const RESULT_PAGE_TEXTS: Readonly<Record<CheckoutResult, PageText>> = {
  success: {
    title: 'The checkout has ended',
    paragraphs: [
      'The payment provider reports a payment to this service, usually within seconds. A subscription that was moved to another plan has that plan already.',
      'You can close this page. GET /v1/billing/usage answers the plan of your organisation. If that is not the plan you bought after a few minutes, send POST /v1/billing/checkout again: it asks the payment provider, and nothing is sold twice.',
      'POST /v1/billing/portal answers the address where you find invoices, change the payment method or cancel.',
    ],
  },
  cancelled: {
    title: 'The checkout was left',
    paragraphs: [
      'Nothing was paid here, and the plan of your organisation is the one it was.',
      'You can close this page. To buy a plan after all, send POST /v1/billing/checkout again: it answers the address of a new checkout and closes the one before.',
    ],
  },
};
