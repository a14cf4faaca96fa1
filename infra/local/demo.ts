/** The story that the printed commands tell: an extraction that is good enough, and one that is not. */
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

/** What a careless prompt change does: an amount as text, a currency in words, a date in local order. */
export const WORSE_OUTPUT = JSON.stringify({
  ...invoice,
  invoice_date: '14/03/2026',
  currency: 'Euro',
  total: '178.50',
});
