import type { Part } from '../read/parts.ts';
import { looksLikeKey } from './keys.ts';
import { MAPPINGS } from './map/mappings.ts';
import type { Assertion, Judge, Mapped } from './map/types.ts';
import { isFileName, isNotRead, type Sources } from './read/sources.ts';
import { render } from './read/templates.ts';
import { type Fields, placeOf, recordOf } from './read/values.ts';

/** What a test adds to its assertions. */
export interface Surroundings {
  readonly vars: Fields;
  readonly options: Fields;
  readonly sources: Sources;
  readonly judge: Judge | undefined;
}

/** A scorer or an expected value is no larger. */
const TEXT_LENGTH_MAX = 262_144;

/** The like of an assertion here. */
export function mapped(part: Part, { vars, options, sources, judge }: Surroundings): Mapped {
  const fields = recordOf(part.value);
  const { type, transform, threshold } = fields;
  if (typeof type !== 'string' || type === '') return { why: 'has no type' };
  const isNegated = type.startsWith('not-');
  const base = isNegated ? type.slice('not-'.length) : type;
  const mapping = MAPPINGS.get(base);
  if (mapping === undefined) return { why: `the type ${type.slice(0, 60)}` };
  if (transform !== undefined) return { why: 'has a transform of its own' };
  const resolved = resolve(fields.value, part, { vars, sources });
  if ('why' in resolved) return resolved;
  if (looksLikeKey(resolved.value)) return { why: 'its value looks like a key' };
  const assertion: Assertion = {
    ...{ type: base, isNegated, value: resolved.value, threshold: threshold ?? undefined, fields },
    provider: fields.provider ?? options.provider,
    rubricPrompt: fields.rubricPrompt ?? options.rubricPrompt,
    fallback: judge,
  };
  const found = mapping(assertion);
  if ('why' in found) return found;
  const own = OF_OPTIONS.filter(([name]) => options[name] !== undefined).map(([, difference]) => difference);
  return { ...found, differences: [...(found.differences ?? []), ...own] };
}

const TRANSFORMED = 'there the output is transformed first: send what the transform makes of it';
const OF_OPTIONS = [
  ['transform', TRANSFORMED],
  ['postprocess', TRANSFORMED],
] as const;

type Resolved = { readonly value: unknown } | { readonly why: string };
type Around = Pick<Surroundings, 'vars' | 'sources'>;

/** With templates filled in and files read, as they would be before the assertion runs. */
function resolve(value: unknown, part: Part, around: Around): Resolved {
  if (typeof value === 'string') return resolveText(value, part, around);
  if (!Array.isArray(value)) return { value };
  const items: unknown[] = [];
  for (const item of value as readonly unknown[]) {
    const resolved = typeof item === 'string' ? resolveText(item, part, around) : { value: item };
    if ('why' in resolved) return resolved;
    items.push(resolved.value);
  }
  return { value: items };
}

function resolveText(value: string, part: Part, { vars, sources }: Around): Resolved {
  if (value.length > TEXT_LENGTH_MAX) return { why: 'its value is too long' };
  if (value.startsWith('package:')) return { why: 'its value is a program' };
  if (isFileName(value)) return fileValue(value, part, sources);
  const rendered = render(value, vars);
  return 'why' in rendered ? rendered : { value: rendered.text };
}

function fileValue(value: string, part: Part, sources: Sources): Resolved {
  if (isNotRead(value)) return { why: 'its value is a program' };
  const place = placeOf({ ...part, path: [...part.path, 'value'] });
  if (/\.(?:ya?ml|json)$/i.test(value)) {
    const document = sources.document(place, value);
    return document === undefined ? { why: 'its file cannot be read' } : { value: document.value };
  }
  if (!/\.txt$/i.test(value)) return { why: 'its value is a file of a kind that is not read' };
  return { value: sources.text(place, value)?.text.trim() };
}
