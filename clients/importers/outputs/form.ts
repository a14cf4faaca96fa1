import type { Evidence } from './evidence.ts';
import type { TextsOf } from './foreign.ts';
import { formOf } from './forms.ts';
import type { CaseOfSuite } from './promptfoo.ts';
import { outputsText, type TextSource } from './readOutputs.ts';

export interface Form {
  /** Where the items have what ours have, such as `case=$.id,output=$.response.text`. */
  readonly map: string | undefined;
  /** The cases of the suite: results of promptfoo name none. */
  readonly cases: () => Promise<readonly CaseOfSuite[]>;
}

/**
 * How the outputs of a file are found; undefined where it has our own form. A text says what is wrong with `map`. The code
 * for other forms is loaded where a file seems to have one. All files of a run have the same `evidence`.
 */
export async function textsOfForm(
  source: TextSource,
  { map, cases }: Form,
  evidence: Evidence,
): Promise<TextsOf | string | undefined> {
  const form = map === undefined ? formOf(outputsText(source) ?? '') : undefined;
  if (map === undefined && form === undefined) return undefined;
  const foreign = await import('./foreign.ts');
  if (map !== undefined) {
    const { mappingOf } = await import('./mapping.ts');
    const mapping = mappingOf(map);
    return typeof mapping === 'string' ? mapping : foreign.textsOfMapping(mapping);
  }
  if (form === 'inspect') return foreign.textsOfInspect(evidence);
  if (form === 'otlp') return foreign.textsOfSpans(evidence);
  return foreign.textsOfPromptfoo(await cases(), evidence);
}
