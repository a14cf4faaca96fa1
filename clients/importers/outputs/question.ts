import { isRecord } from '../../files/read/parts.ts';

const TEXTS: readonly unknown[] = ['text', 'input_text'];

/** The user's first text in messages of any API, in `gen_ai.input.messages`, or in entries of our own form. */
export function questionIn(messages: unknown): string | undefined {
  const texts = Array.isArray(messages) ? messages.map(textOfUser) : [];
  return texts.find((text) => text.trim() !== '');
}

function textOfUser(message: unknown): string {
  if (!isRecord(message) || message.role !== 'user') return '';
  const content = message.text ?? message.content ?? message.parts;
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content
    .map((part) => (isRecord(part) && TEXTS.includes(part.type) ? (part.text ?? part.content) : undefined))
    .filter((text) => typeof text === 'string')
    .join('\n');
}
