/**
 * What may stand at a place of promptfoo's config. Any field that is in none of the lists is reported, and so is what
 * looks like an assertion in `free` fields.
 */
export interface PlaceKind<Field extends string = string> {
  /** Its reader takes these over, or says why not. */
  readonly read: readonly Field[];
  /** They say nothing of what passes. */
  readonly free?: readonly string[];
  /** They change what passes there, and nothing here. */
  readonly reported?: readonly string[];
  /** Tests or assertions come from them that are in no file which is read. */
  readonly unread?: readonly string[];
}

const kind = <Field extends string>(place: PlaceKind<Field>): PlaceKind<Field> => place;

export const CONFIG = kind({
  read: [
    ...(['description', 'tests', 'scenarios', 'defaultTest', 'prompts', 'providers', 'targets'] as const),
    ...(['commandLineOptions', 'evaluateOptions'] as const),
  ],
  free: [
    'prompts',
    'providers',
    'targets',
    'env',
    'tags',
    'metadata',
    'outputPath',
    'sharing',
    'tracing',
    'writeLatestResults',
    '$schema',
    'author',
    'version',
  ],
  reported: ['derivedMetrics', 'nunjucksFilters'],
  unread: ['redteam', 'plugins', 'strategies', 'extensions'],
});

export const COMMAND_LINE = kind({
  read: [],
  free: [
    'cache',
    'delay',
    'description',
    'envPath',
    'filterErrorsOnly',
    'filterFailing',
    'filterFailingOnly',
    'filterFirstN',
    'filterMetadata',
    'filterPattern',
    'filterPrompts',
    'filterProviders',
    'filterRange',
    'filterSample',
    'filterSampleSeed',
    'filterTargets',
    'generateSuggestions',
    'maxConcurrency',
    'noShare',
    'output',
    'progressBar',
    'promptPrefix',
    'prompts',
    'promptSuffix',
    'providers',
    'retryErrors',
    'share',
    'suggestionsCount',
    'table',
    'tableCellMaxLength',
    'tags',
    'verbose',
    'watch',
    'write',
  ],
  reported: ['grader', 'repeat', 'var'],
  unread: ['assertions', 'config', 'extension', 'modelOutputs', 'tests', 'vars'],
});

export const EVALUATE = kind({
  read: [],
  free: [
    'cache',
    'delay',
    'filterRange',
    'generateSuggestions',
    'interactiveProviders',
    'isRedteam',
    'maxConcurrency',
    'progressCallback',
    'showProgressBar',
    'silent',
    'suggestionsCount',
  ],
  reported: ['maxEvalTimeMs', 'repeat', 'timeoutMs'],
});

/** Names and remarks, which promptfoo does not read. */
const REMARKS = ['comment', 'id', 'label', 'name', 'notes', 'tags', 'title'];

export const SCENARIO = kind({ read: ['config', 'tests'], free: ['description', ...REMARKS] });

/** Tests that a file gives. */
export const GENERATOR = kind({ read: ['path'], free: ['config'] });

export const TEST = kind({
  read: [
    ...(['description', 'vars', 'assert', 'options', 'threshold', 'provider', 'providerOutput'] as const),
    ...(['assertScoringFunction'] as const),
  ],
  free: ['metadata', 'prompts', 'provider', 'providers', ...REMARKS],
});

export const OPTIONS = kind({
  read: [
    ...(['provider', 'rubricPrompt', 'factuality', 'transform', 'postprocess', 'transformVars'] as const),
    ...(['disableVarExpansion', 'disableDefaultAsserts'] as const),
  ],
  free: ['disableConversationVar', 'prefix', 'provider', 'runSerially', 'storeOutputAs', 'suffix'],
  reported: ['repeat'],
});

export const ASSERTION = kind({
  read: [
    ...(['type', 'value', 'threshold', 'weight', 'metric', 'metricOnly', 'transform', 'provider'] as const),
    ...(['rubricPrompt', 'factuality', 'normalizeUnicode'] as const),
  ],
  free: ['config', 'contextTransform', 'description', 'provider', ...REMARKS],
});

export const ASSERT_SET = kind({
  read: ['type', 'assert', 'threshold'],
  free: ['config', 'metric', 'weight'],
});

type FieldOf<Kind> = Kind extends PlaceKind<infer Field> ? Field : never;
export type ConfigField = FieldOf<typeof CONFIG>;
export type TestField = FieldOf<typeof TEST>;
export type OptionField = FieldOf<typeof OPTIONS>;
export type AssertionField = FieldOf<typeof ASSERTION>;
