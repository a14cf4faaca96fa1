import { type Case, type CasesCreateBody, EvalgateError } from '../../../sdk/index.ts';
import { jsonOf, type Typed, type Values } from '../../parts/Form.tsx';

/** What a case's form says of its fields. */
export const LABELS = {
  name: 'Name',
  key: 'Key',
  description: 'Description',
  input: 'Input (a JSON object)',
  expected_kind: 'Expected is',
  expected: 'Expected',
  scorer_id: 'Scorer',
  threshold: 'Threshold',
  weight: 'Weight',
  tags: 'Tags',
  must_pass: 'Must pass',
  is_active: 'Active',
  is_advisory: 'Advisory',
  owner: 'Owner',
  reason: 'Reason',
  until: 'Until',
  sample_count: 'Outputs of this case',
  sample_pass_rate: 'Share of them that has to pass',
} as const;

const ticked = (isOn: boolean): string => (isOn ? 'on' : '');
const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export const NEW_CASE: Values = {
  ...{ name: '', key: '', description: '', input: '{}', expected_kind: 'text', expected: '', scorer_id: '' },
  ...{ threshold: '0.5', weight: '1', tags: '', must_pass: '', is_active: 'on', is_advisory: '' },
  ...{ owner: '', reason: '', until: '', sample_count: '1', sample_pass_rate: '1' },
};

/** A case as it would be typed. */
export function typedCase(evalCase: Case): Values {
  const { advisory, expected } = evalCase;
  const kind = expected === null ? 'nothing' : typeof expected === 'string' ? 'text' : 'json';
  return {
    name: evalCase.name,
    key: evalCase.key,
    description: evalCase.description ?? '',
    input: pretty(evalCase.input),
    expected_kind: kind,
    expected: kind === 'nothing' ? '' : kind === 'text' ? String(expected) : pretty(expected),
    scorer_id: evalCase.scorer_id,
    threshold: `${evalCase.threshold}`,
    weight: `${evalCase.weight}`,
    tags: evalCase.tags.join(', '),
    must_pass: ticked(evalCase.must_pass),
    is_active: ticked(evalCase.is_active),
    is_advisory: ticked(advisory !== null),
    owner: advisory?.owner ?? '',
    reason: advisory?.reason ?? '',
    until: advisory?.expires_at.slice(0, 10) ?? '',
    sample_count: `${evalCase.sample_count}`,
    sample_pass_rate: `${evalCase.sample_pass_rate}`,
  };
}

/** Another case like it, as it would be typed: its key is to be another one, and what one case was granted holds for it alone. */
export const typedLike = (original: Case): Values => ({
  ...typedCase({ ...original, advisory: null, is_active: true }),
  key: '',
});

function expectedOf(form: Typed): unknown {
  const kind = form.text('expected_kind');
  const text = form.text('expected');
  if (kind === 'json') return jsonOf(form, 'expected', 'Expected');
  return kind === 'text' && text !== '' ? text : null;
}

/** These compare with it, whatever their config: without it no output passes, and no run is cleared. */
const COMPARES: readonly string[] = ['exact_match', 'similarity'];

/** Throws where a case would expect nothing of a scorer that compares with it. */
export function requireExpected(form: Typed, type: string | undefined): void {
  if (type === undefined || !COMPARES.includes(type) || expectedOf(form) !== null) return;
  throw new EvalgateError(
    'Expected is missing: the scorer compares with it. Say what a good output is; where it is to be empty, choose JSON and write "".',
    { code: 'NO_EXPECTED' },
  );
}

function inputOf(form: Typed): Case['input'] {
  const input = jsonOf(form, 'input', 'Input');
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Case['input'];
  throw new EvalgateError('Input is an object, such as {"question": "…"}.', { code: 'NO_OBJECT' });
}

const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Which typed values a field of the service is made of. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  expected: ['expected', 'expected_kind'],
  advisory: ['is_advisory', 'owner', 'reason', 'until'],
};

const READ: { readonly [Name in keyof CasesCreateBody]-?: (form: Typed) => CasesCreateBody[Name] } = {
  name: (form) => form.text('name').trim(),
  key: (form) => form.text('key').trim() || undefined,
  description: (form) => form.text('description').trim() || null,
  input: inputOf,
  expected: expectedOf,
  scorer_id: (form) => form.text('scorer_id'),
  threshold: (form) => Number(form.text('threshold')),
  weight: (form) => Number(form.text('weight')),
  is_active: (form) => form.isOn('is_active'),
  tags: (form) => splitTags(form.text('tags')),
  must_pass: (form) => form.isOn('must_pass'),
  advisory: (form) =>
    form.isOn('is_advisory')
      ? {
          owner: form.text('owner'),
          reason: form.text('reason'),
          expires_at: `${form.text('until')}T00:00:00Z`,
        }
      : null,
  sample_count: (form) => Number(form.text('sample_count')),
  sample_pass_rate: (form) => Number(form.text('sample_pass_rate')),
};

/** Only what was changed: no other change of another field is undone, and no number that was only shown is rounded. */
export function changedFields(form: Typed): Partial<CasesCreateBody> {
  const isChanged = (name: string): boolean =>
    (SOURCES[name] ?? [name]).some((source) => form.text(source) !== (form.saved[source] ?? ''));
  const names = Object.keys(READ).filter(isChanged) as (keyof CasesCreateBody)[];
  return Object.fromEntries(names.map((name) => [name, READ[name](form)]));
}

export const completeCase = (form: Typed): CasesCreateBody =>
  Object.fromEntries(
    Object.entries(READ)
      .map(([name, read]) => [name, read(form)])
      .filter(([, value]) => value !== undefined),
  ) as unknown as CasesCreateBody;
