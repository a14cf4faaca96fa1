import type { Suite, SuitesUpdateBody } from '../../../../sdk/index.ts';
import { percentOf, shareOf } from '../../../kit/percent.ts';
import type { Typed, Values } from '../../../parts/Form.tsx';

/** What the form says of its fields. */
export const LABELS = {
  name: 'Name',
  description: 'Description',
  pass_threshold: 'Pass threshold in %',
  judged: 'Judged cases, at least',
  lower: 'Lower bound in %',
  newly: 'Newly failing cases, at most',
  comparable: 'Comparable, at least, in %',
  regression: 'A run that is worse than the baseline fails, where that is more than chance',
  alpha: 'Alpha',
  drop: 'Least drop in %',
  tags: 'Gates of tags',
  keep_outputs: 'Outputs are kept',
  show_expected: 'Keys of scope run see what cases expect',
  show_inputs: 'Keys of scope run read the inputs of cases',
} as const;

export const KEPT: Readonly<Record<Suite['keep_outputs'], string>> = {
  failed: 'of failed cases',
  all: 'of all cases',
  none: 'none',
};

const ALPHA = 0.05;
const MIN_DROP = 0.02;

/** A gate of a tag, as it is typed. */
export interface TagRow {
  readonly tag: string;
  readonly percent: string;
  readonly judged: string;
}

/** A line each: a tag has no blanks. */
export const tagLines = (rows: readonly TagRow[]): string =>
  rows
    .map(({ tag, percent, judged }) =>
      [tag, percent, judged].map((text) => text.replace(/\s/g, '')).join(' '),
    )
    .join('\n');

export const tagRows = (lines: string): readonly TagRow[] =>
  lines === ''
    ? []
    : lines.split('\n').map((line) => {
        const [tag = '', percent = '', judged = ''] = line.split(' ');
        return { tag, percent, judged };
      });

const ticked = (isOn: boolean): string => (isOn ? 'on' : '');
const percentOrNone = (share: number | undefined): string => (share === undefined ? '' : percentOf(share));

/** A suite as it would be typed. */
export function typedSuite(suite: Suite): Values {
  const { gates } = suite;
  const { tags = [], regression } = gates;
  return {
    name: suite.name,
    description: suite.description ?? '',
    pass_threshold: percentOf(suite.pass_threshold),
    judged: String(gates.min_judged_cases ?? ''),
    lower: percentOrNone(gates.min_lower_bound),
    newly: String(gates.max_newly_failing ?? ''),
    comparable: percentOrNone(gates.min_comparable),
    regression: ticked(regression !== undefined),
    alpha: String(regression?.alpha ?? ALPHA),
    drop: percentOf(regression?.min_drop ?? MIN_DROP),
    tags: tagLines(
      tags.map(({ tag, pass_threshold, min_judged_cases }) => ({
        ...{ tag, percent: percentOf(pass_threshold), judged: String(min_judged_cases) },
      })),
    ),
    keep_outputs: suite.keep_outputs,
    show_expected: ticked(suite.show_expected),
    show_inputs: ticked(suite.show_inputs),
  };
}

/** Without what is not typed: that is no gate. */
function gatesOf(values: Values): Suite['gates'] {
  const typed = <T>(name: string, read: (text: string) => T) => {
    const text = values[name]?.trim() ?? '';
    return text === '' ? undefined : read(text);
  };
  const tags = tagRows(values.tags ?? '').map(({ tag, percent, judged }) => ({
    ...{ tag, pass_threshold: shareOf(percent), min_judged_cases: Number(judged || 1) },
  }));
  const gates = {
    min_judged_cases: typed('judged', Number),
    min_lower_bound: typed('lower', shareOf),
    tags: tags.length === 0 ? undefined : tags,
    max_newly_failing: typed('newly', Number),
    regression:
      values.regression === 'on'
        ? { alpha: Number(values.alpha), min_drop: shareOf(values.drop ?? '') }
        : undefined,
    min_comparable: typed('comparable', shareOf),
  };
  return Object.fromEntries(Object.entries(gates).filter(([, gate]) => gate !== undefined));
}

type Body = Required<Omit<SuitesUpdateBody, 'expected_version'>> & Pick<Suite, 'gates'>;

const bodyOf = (values: Values): Body => ({
  name: values.name?.trim(),
  description: values.description?.trim() || null,
  pass_threshold: shareOf(values.pass_threshold ?? ''),
  gates: gatesOf(values),
  keep_outputs: values.keep_outputs as Suite['keep_outputs'],
  show_expected: values.show_expected === 'on',
  show_inputs: values.show_inputs === 'on',
});

export type Changed = Partial<Pick<Suite, keyof Suite & keyof Body>>;

/** Fields of the service that are not as they were. */
export function changedFields({ values, saved }: Typed): Changed {
  const before = bodyOf(saved);
  const changed = Object.entries(bodyOf(values)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Body]),
  );
  return Object.fromEntries(changed);
}
