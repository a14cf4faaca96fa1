import { PROVIDER_VALUES } from '../../../shared/contracts/base/providers.ts';
import { isRecord } from '../../files/read/parts.ts';
import { looksLikeKey } from './keys.ts';
import type { Judge } from './types.ts';

/** As promptfoo names them, with what may stand between the provider and the model. */
const KNOWN: ReadonlyMap<string, { readonly provider: string; readonly kinds: readonly string[] }> = new Map(
  Object.entries({
    openai: { provider: 'openai', kinds: ['chat', 'completion', 'responses'] },
    anthropic: { provider: 'anthropic', kinds: ['messages', 'completion'] },
    google: { provider: 'google', kinds: [] },
  }),
);
const MODEL = /^[a-z0-9][\w.:@/-]{0,99}$/i;

interface Named {
  readonly provider: unknown;
  /** For what names no judge, or none that is known here. */
  readonly fallback: Judge | undefined;
}

type Found = { readonly judge: Judge; readonly differences: readonly string[] } | { readonly why: string };

/** Reasons that an option takes away. */
export const JUDGE_UNKNOWN = 'names a judge that is not known here: give --judge';
export const JUDGE_MISSING = 'names no judge: give --judge';

/** Nothing of a provider is taken over but the names of provider and model. */
export function judgeOf({ provider, fallback }: Named): Found {
  const id = idOf(provider);
  const judge = id === undefined ? undefined : knownJudge(id);
  const settings =
    isRecord(provider) && provider.config !== undefined ? ["the judge's config is not taken over"] : [];
  if (judge !== undefined) return { judge, differences: settings };
  const isNamed = provider !== undefined && provider !== null;
  if (fallback === undefined) {
    return { why: isNamed ? JUDGE_UNKNOWN : JUDGE_MISSING };
  }
  return { judge: fallback, differences: isNamed ? ['another judge than there: that of --judge'] : [] };
}

/** A text, a map with `id`, or a map of such by their use. */
function idOf(provider: unknown): string | undefined {
  if (typeof provider === 'string') return provider;
  if (!isRecord(provider)) return undefined;
  return typeof provider.id === 'string'
    ? provider.id
    : provider.text === provider
      ? undefined
      : idOf(provider.text);
}

function knownJudge(id: string): Judge | undefined {
  const [name = '', ...rest] = id.split(':');
  const known = KNOWN.get(name);
  if (known === undefined) return undefined;
  const model = (known.kinds.includes(rest[0] ?? '') ? rest.slice(1) : rest).join(':');
  if (model === '') return { provider: known.provider };
  return MODEL.test(model) && !looksLikeKey(model) ? { provider: known.provider, model } : undefined;
}

/** `openai`, `openai/gpt-5`, or `azure_openai/https://…|deployment`. Undefined where it is none of these. */
export function judgeNamed(text: string): Judge | undefined {
  const [, provider = '', model] = /^([^/]*)(?:\/(.+))?$/.exec(text) ?? [];
  if (!PROVIDER_VALUES.some((known) => known === provider)) return undefined;
  return model === undefined ? { provider } : { provider, model };
}
