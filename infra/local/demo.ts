/** What the first start has to show: an extraction that passes, and one that fails. */
export const DEMO = {
  project: 'demo',
  suite: 'invoices',
  template: 'json-schema-extraction',
} as const;

const invoice = {
  invoice_number: 'INV-2041',
  vendor_name: 'Northwind Paper',
  invoice_date: '2026-03-14',
  due_date: null,
  currency: 'EUR',
  total: 178.5,
  line_items: [{ description: 'Copy paper A4', quantity: 3, unit_price: 59.5 }],
};

export const GOOD_OUTPUT = JSON.stringify(invoice);

/** The failing extraction: an amount as text, a currency in words, a date in local order. */
export const WORSE_OUTPUT = JSON.stringify({
  ...invoice,
  invoice_date: '14/03/2026',
  currency: 'Euro',
  total: '178.50',
});

/** Makes it by requests to the service, as a client would: two runs of the month are used. */
export async function makeDemo(baseUrl: string, apiKey: string): Promise<void> {
  const { project, suite, template } = DEMO;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
  };
  await post('/v1/projects', { name: 'Demo', slug: project });
  const newSuite = { template_slug: template, slug: suite, name: 'Invoices' };
  await post(`/v1/projects/${project}/suites/from-template`, newSuite);
  for (const output of [GOOD_OUTPUT, WORSE_OUTPUT]) await post('/v1/run', { project, suite, output });
}
