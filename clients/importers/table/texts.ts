/** A text, a number or a truth value as a text; a list of such. Undefined for anything else, and for what is blank. */
export function textsOf(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.map((one) => (['string', 'number', 'boolean'].includes(typeof one) ? String(one) : ''));
  return texts.length === 0 || texts.some((text) => text.trim() === '') ? undefined : texts;
}

/** What a question says, whatever it is. */
export const wordsOf = (question: unknown): string =>
  textsOf(question)?.join(' ') ?? JSON.stringify(question);
