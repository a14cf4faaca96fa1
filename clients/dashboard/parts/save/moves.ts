import { lookedAt } from '../../../gate/report/plan.ts';
import {
  type DefinitionsPutAnswer,
  type DefinitionsPutBody,
  EvalgateError,
  type Scorer,
  type Suite,
} from '../../../sdk/index.ts';
import { write } from '../../kit/api.ts';

type Definition = DefinitionsPutBody['definition'];
export type Moves = Pick<DefinitionsPutAnswer, 'changes' | 'affects' | 'warnings'>;

/** What a change of parts of a suite, or of a scorer, does to bars: planned by the service, not written. */
export async function movesOf(
  project: string,
  suite: Suite,
  parts: Pick<Definition, 'scorers' | 'cases'>,
  scorer?: string,
): Promise<Moves | undefined> {
  const { slug, name, description, pass_threshold, gates, keep_outputs } = suite;
  const { show_expected, show_inputs, show_results } = suite;
  const shown = { show_expected, show_inputs, show_results };
  const kept = { name, description, pass_threshold, gates, keep_outputs, ...shown };
  const definition = { version: 1, suite: slug, ...kept, ...parts } as const;
  try {
    const plan = await write((sdk) => sdk.definitions.put(project, slug, { definition, dry_run: true }));
    const { changes, warnings, suite_digest } = plan;
    const isMoved = scorer !== undefined && suite_digest.before !== suite_digest.after;
    const affects = isMoved ? [{ suite: slug, scorers: [scorer] }, ...plan.affects] : plan.affects;
    // What a definition leaves out stays.
    return { changes: changes.filter(({ action }) => action !== 'keep'), affects, warnings };
  } catch (error) {
    // The save itself says it of its fields.
    if (error instanceof EvalgateError && error.code === 'VALIDATION_ERROR') return undefined;
    throw error;
  }
}

/** What a change of a scorer does to the bars of its project: all that use it move. */
export async function movesOfScorer(project: string, scorer: Scorer): Promise<Moves | undefined> {
  const [suite] = (await write((sdk) => sdk.suites.list(project, { page: 1, pageSize: 1 }).page())).data;
  // Without a suite there is no bar.
  return suite && movesOf(project, suite, { scorers: definedScorer(scorer) }, scorer.key);
}

/** Whether the page names it before it is saved. */
export const isAnnounced = (moves: Moves): boolean => weakerOf(moves).length > 0 || moves.affects.length > 0;

export const weakerOf = ({ changes }: Moves): Moves['changes'] => changes.filter(lookedAt);

/** As definitions have a scorer, under its key. */
export const definedScorer = ({ key, ...scorer }: Scorer): NonNullable<Definition['scorers']> => {
  const { name, type, config, dual_sided, precision_threshold, recall_threshold } = scorer;
  return { [key]: { name, type, config, dual_sided, precision_threshold, recall_threshold } };
};
