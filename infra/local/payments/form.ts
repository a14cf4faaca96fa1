export type FormValue = string | Form;
export interface Form {
  [name: string]: FormValue;
}

/** A name that is deeper than any parameter of Stripe's is read as one plain name. */
const NAME = /^([^[\]]+)((?:\[[^[\]]*\]){0,6})$/;

/**
 * Parses `line_items[0][price]=price_pro`. Lists become forms keyed by position; `[]` is the next position. The forms
 * have no prototype, so that names like `__proto__` are ordinary.
 */
export function parseForm(text: string): Form {
  const form = emptyForm();
  for (const [name, value] of new URLSearchParams(text)) {
    const [, first = name, rest = ''] = NAME.exec(name) ?? [];
    const keys = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)];
    put(form, keys, value);
  }
  return form;
}

const emptyForm = (): Form => Object.create(null) as Form;

function put(form: Form, [key = '', ...deeper]: readonly string[], value: string): void {
  const name = key === '' ? String(Object.keys(form).length) : key;
  if (deeper.length === 0) {
    form[name] = value;
    return;
  }
  const inner = form[name];
  const next = inner === undefined || typeof inner === 'string' ? emptyForm() : inner;
  form[name] = next;
  put(next, deeper, value);
}
