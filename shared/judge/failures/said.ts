import type { ProviderSaid } from '../../domain/evaluation/judging/ports.ts';
import { cut } from '../../scoring/kit/text.ts';
import { type Scrub, scrubJson } from '../secrets.ts';

const TEXT_LENGTH_MAX = 500;
const NAME_LENGTH_MAX = 100;

interface Said {
  readonly finishReason?: string | undefined;
  readonly message?: string | undefined;
  readonly answer?: string | undefined;
  readonly model?: string | undefined;
}

/** Scrubbed before it is cut: a key that was cut in two is none to find. */
export function saidBy({ finishReason, message, answer, model }: Said, scrub: Scrub): ProviderSaid {
  const shown = {
    finish_reason: short(finishReason, NAME_LENGTH_MAX, scrub),
    provider_message: short(message, TEXT_LENGTH_MAX, scrub),
    answer: short(answer, TEXT_LENGTH_MAX, scrub),
    answered_model: nameOfModel(model, scrub),
  };
  return Object.fromEntries(Object.entries(shown).filter(([, text]) => text !== undefined));
}

export const nameOfModel = (model: string | undefined, scrub: Scrub): string | undefined =>
  short(model, NAME_LENGTH_MAX, scrub);

function short(text: string | undefined, lengthMax: number, scrub: Scrub): string | undefined {
  return text === undefined || text === '' ? undefined : cut(scrub(text).toWellFormed(), lengthMax);
}

/** An answer as it is shown. JSON is written anew, so that no escape sequence hides the key. */
export function bodyText(body: unknown, scrub: Scrub): string {
  if (typeof body === 'string') return body;
  try {
    return JSON.stringify(scrubJson(body, scrub)) ?? '';
  } catch {
    return '';
  }
}
