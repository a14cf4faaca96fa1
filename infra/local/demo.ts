/** The example of the printed commands: an extraction that passes, and one that fails. */
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
