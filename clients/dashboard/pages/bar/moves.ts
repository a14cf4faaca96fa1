import {
  type DefinitionsPutAnswer,
  type DefinitionsPutBody,
  EvalgateError,
  type Scorer,
  type Suite,
} from '../../../sdk/index.ts';
import { sdk } from '../../app/session.ts';

type Definition = DefinitionsPutBody['definition'];
export type Moves = Pick<DefinitionsPutAnswer, 'changes' | 'affects' | 'warnings'>;

const isWeaker = ({ effect }: Moves['changes'][number]): boolean =>
  effect === 'weaker' || effect === 'may be weaker';

/** What a change of parts of a suite does to its bar: planned by the service, written by nobody. */
export async function movesOf(
  project: string,
  suite: Suite,
  parts: Pick<Definition, 'scorers' | 'cases'>,
): Promise<Moves | undefined> {
  const { slug, name, description, pass_threshold, gates, keep_outputs, show_expected, show_inputs } = suite;
  const kept = { name, description, pass_threshold, gates, keep_outputs, show_expected, show_inputs };
  const definition = { version: 1, suite: slug, ...kept, ...parts } as const;
  try {
    const plan = await sdk.definitions.put(project, slug, { definition, dry_run: true });
    const { changes, affects, warnings } = plan;
    // What a definition leaves out stays.
    return { changes: changes.filter(({ action }) => action !== 'keep'), affects, warnings };
  } catch (error) {
    // The save itself says it of its fields.
    if (error instanceof EvalgateError && error.code === 'VALIDATION_ERROR') return undefined;
    throw error;
  }
}

export const weakerOf = ({ changes }: Moves): Moves['changes'] => changes.filter(isWeaker);

/** As definitions have a scorer, under its key. */
export const definedScorer = ({ key, ...scorer }: Scorer): NonNullable<Definition['scorers']> => {
  const { name, type, config, dual_sided, precision_threshold, recall_threshold } = scorer;
  return { [key]: { name, type, config, dual_sided, precision_threshold, recall_threshold } };
};
