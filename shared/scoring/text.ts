/** Cuts to at most `maxLength` UTF-16 units without splitting a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength);
}

/** Like `cut`, and says that something was left off. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : cut(text, maxLength - 1) + '…';
}

/** A short quotation for a reason; control characters and quotes are escaped as in JSON. */
export function quote(text: string, maxLength = 60): string {
  return JSON.stringify(clip(text, maxLength).toWellFormed());
}

export function quoteSome(texts: readonly string[], maxLength = 60): string {
  return nameSome(
    texts.slice(0, 3).map((text) => quote(text, maxLength)),
    texts.length,
  );
}

/** The same for texts that are quoted already or need no quotes, such as JSON. */
export function nameSome(texts: readonly string[], total = texts.length): string {
  const shown = texts.slice(0, 3);
  return total > 3 ? `${shown.join(', ')} and ${total - 3} more` : shown.join(', ');
}

export const REASON_LENGTH_MAX = 500;

export function toReason(text: string): string {
  return clip(text, REASON_LENGTH_MAX).toWellFormed();
}
