import type { Part } from '../../files/read/parts.ts';
import { looksLikeKey } from '../imports/keys.ts';
import type { Judge } from '../imports/types.ts';
import { MAPPINGS } from './map/mappings.ts';
import type { Mapped } from './map/types.ts';
import type { FoundAssertion } from './read/assertions.ts';
import type { Merged } from './read/merge.ts';
import { isFileName, isNotRead, type Sources } from './read/sources.ts';
import { isTemplate, render } from './read/templates.ts';
import type { Tools } from './read/tools.ts';
import { type Fields, placeOf } from './read/values.ts';

/** What a test adds to its assertions. */
export interface Surroundings {
  readonly vars: Fields;
  readonly test: Merged;
  readonly sources: Sources;
  readonly judge: Judge | undefined;
  readonly tools: Tools;
}

/** A scorer or an expected value is no larger. */
const TEXT_LENGTH_MAX = 262_144;

/** The like of an assertion here. */
export function mapped({ part, fields }: FoundAssertion, around: Surroundings): Mapped {
  const type = wordOf(fields.value('type'));
  const isNegated = type.startsWith('not-');
  const base = isNegated ? type.slice('not-'.length) : type;
  const mapping = MAPPINGS.get(base);
  if (mapping === undefined) return { why: type === '' ? 'has no type' : `the type ${type.slice(0, 60)}` };
  const why = whyNone(fields);
  if (why !== undefined) return { why };
  const resolved = resolve(fields.value('value'), part, around);
  if ('why' in resolved) return resolved;
  if (looksLikeKey(resolved.value)) return { why: 'its value looks like a key' };
  const outcome = mapping({
    type: base,
    isNegated,
    value: resolved.value,
    threshold: fields.value('threshold') ?? undefined,
    ...settingsOf(fields, around),
  });
  if ('why' in outcome) return outcome;
  return { ...outcome, differences: [...(outcome.differences ?? []), ...differencesOf(around.test)] };
}

/** Of the assertion, else of its test. */
const settingsOf = (fields: FoundAssertion['fields'], { test, judge, vars, tools }: Surroundings) => ({
  normalizeUnicode: fields.value('normalizeUnicode'),
  provider: fields.value('provider') ?? test.options.provider,
  rubricPrompt: fields.value('rubricPrompt') ?? test.options.rubricPrompt,
  factuality: fields.value('factuality') ?? test.options.factuality,
  fallback: judge,
  vars: isGiven(test.options.transformVars) ? {} : vars,
  tools: test.hasOwnProvider ? () => undefined : tools,
});

/** Why an assertion of any type is not mapped. */
function whyNone(fields: FoundAssertion['fields']): string | undefined {
  if (isGiven(fields.value('transform'))) return 'has a transform of its own';
  const threshold = fields.value('threshold');
  return isGiven(threshold) && typeof threshold !== 'number'
    ? 'has a threshold that is no number'
    : undefined;
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Of a test, whatever its assertions are. */
function differencesOf({ options, hasTransformingProvider }: Merged): string[] {
  const isTransformed = isGiven(options.transform) || isGiven(options.postprocess);
  return [
    ...(isTransformed ? ['there the output is transformed first: send what the transform makes of it'] : []),
    ...(hasTransformingProvider
      ? ['there a provider transforms its output: send what its transform makes of it']
      : []),
    ...(isGiven(options.transformVars)
      ? ['there transformVars changes the variables: here its input is what they were before']
      : []),
  ];
}

type Resolved = { readonly value: unknown } | { readonly why: string };
type Around = Pick<Surroundings, 'vars' | 'sources' | 'test'>;

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

function resolveText(value: string, part: Part, { vars, sources, test }: Around): Resolved {
  if (value.length > TEXT_LENGTH_MAX) return { why: 'its value is too long' };
  if (value.startsWith('package:')) return { why: 'its value is a program' };
  if (isFileName(value)) return fileValue(value, part, sources);
  if (isTemplate(value) && isGiven(test.options.transformVars))
    return { why: 'uses variables that its test changes by transformVars' };
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
  const text = sources.text(place, value)?.text.trim();
  return text === undefined ? { why: 'its file cannot be read' } : { value: text };
}
