type FormValue = string | Form;
export interface Form {
  [name: string]: FormValue;
}

/** Parameters nest at most so deep; a deeper name is one plain name. */
const NAME = /^([^[\]]+)((?:\[[^[\]]+\]){0,6})$/;

/**
 * Parses `line_items[0][price]=price_pro`. Lists become forms keyed by position. The forms have no prototype, so that
 * names like `__proto__` are ordinary.
 */
export function parseForm(text: string): Form {
  const form = emptyForm();
  for (const [name, value] of new URLSearchParams(text)) {
    const [, first = name, rest = ''] = NAME.exec(name) ?? [];
    put(form, [first, ...rest.slice(1, -1).split('][').filter(Boolean)], value);
  }
  return form;
}

const emptyForm = (): Form => Object.create(null) as Form;

function put(form: Form, [name = '', ...deeper]: readonly string[], value: string): void {
  if (deeper.length === 0) {
    form[name] = value;
    return;
  }
  const inner = form[name];
  const next = inner === undefined || typeof inner === 'string' ? emptyForm() : inner;
  form[name] = next;
  put(next, deeper, value);
}
