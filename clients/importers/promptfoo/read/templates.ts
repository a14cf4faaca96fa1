/** A text with its variables, or why it cannot be had without running a template. */
export type Rendered = { readonly text: string } | { readonly why: string };

const VARIABLE = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;
const RAW = /^\{% raw %\}((?:(?!\{%)[\s\S])*)\{% endraw %\}$/;
const BEYOND = /\{\{|\{%|\{#/;

/** A variable may name another one. */
const ROUNDS_MAX = 5;
const LENGTH_MAX = 1_000_000;

const WHY_BEYOND = 'uses a template beyond {{name}}';

/** Whether a text is a template at all. */
export const isTemplate = (text: string): boolean => BEYOND.test(text);

/** Replaces `{{name}}`. Nothing else of a template is understood, and nothing is run. */
export function render(text: string, vars: Readonly<Record<string, unknown>>): Rendered {
  const raw = RAW.exec(text)?.[1];
  if (raw !== undefined) return { text: raw };
  let rendered = text;
  for (let round = 0; isTemplate(rendered); round++) {
    if (round === ROUNDS_MAX || rendered.length > LENGTH_MAX) return { why: WHY_BEYOND };
    const names = [...rendered.matchAll(VARIABLE)].map(([, name = '']) => name);
    if (BEYOND.test(rendered.replace(VARIABLE, ''))) return { why: WHY_BEYOND };
    if (names.some((name) => !isPlain(vars, name))) {
      return { why: 'names a variable that is no text of the test' };
    }
    rendered = rendered.replace(VARIABLE, (_, name: string) => String(vars[name]));
  }
  return { text: rendered };
}

const isPlain = (vars: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.hasOwn(vars, name) && ['string', 'number', 'boolean'].includes(typeof vars[name]);
