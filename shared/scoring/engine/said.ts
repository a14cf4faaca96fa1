import { definitionOf } from '../registry.ts';
import { parseConfig } from './config.ts';

/** In place of what has been dropped by now. */
export const GONE = Symbol('gone');

/** What a field of `scorer_output` is by config or `expected`. */
interface SaidValue {
  readonly value: unknown;
  /** The entries of a list may differ one by one. Another `expected` is another text as a whole. */
  readonly byEntry: boolean;
}
export type SaidOutput = ReadonlyMap<string, SaidValue>;

interface ConfiguredScorer {
  readonly type: string;
  /** `GONE` where it has been dropped. */
  readonly config: unknown;
}

const NOTHING: SaidOutput = new Map();

/** What config and `expected` say of the `scorer_output` of a case that passes, in the order of its fields. */
export function saidOutputs({ type, config }: ConfiguredScorer): (expected: unknown) => SaidOutput {
  const definition = definitionOf(type);
  if (definition?.says === undefined) return () => NOTHING;
  const fields = Object.entries(definition.says);
  const parsed = config === GONE ? undefined : parseConfig(definition, config);
  if (parsed?.ok === false) return () => NOTHING;
  const ofConfig = fields.map(([, field]) =>
    'ofConfig' in field && parsed?.ok ? field.ofConfig(parsed.config) : GONE,
  );
  const said = (expected: unknown): SaidOutput =>
    new Map(
      fields.map(([name, field], at): [string, SaidValue] => {
        if ('ofConfig' in field) return [name, { value: ofConfig[at], byEntry: true }];
        const value = expected === GONE ? GONE : field.ofExpected(expected);
        return [name, { value, byEntry: false }];
      }),
    );
  if (fields.some(([, field]) => 'ofExpected' in field)) return said;
  const always = said(GONE);
  return () => always;
}
