import { showCheckoutResult as contract } from '../../shared/contracts/billing.ts';
import { RESULT_PAGE_TEXTS } from '../../shared/domain/billing/checkoutResults.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { htmlPage, paragraph } from '../../shared/http/htmlPage.ts';

export const handler = endpoint(contract, {
  handle: async ({ params }) => {
    const { title, paragraphs } = RESULT_PAGE_TEXTS[params.result];
    return { status: 200, ...htmlPage({ title, content: paragraphs.map(paragraph).join('\n') }) };
  },
});
