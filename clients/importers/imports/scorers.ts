import { newScorerSchema } from '../../../shared/contracts/scorers.ts';
import { validateScorerConfig } from '../../../shared/scoring/registry.ts';
import { inWords } from '../../files/read/parts.ts';
import { escapedReference } from '../../files/resolve/references.ts';
import { Names } from './keys.ts';
import type { Fields, Scorer, ScorerEntry } from './types.ts';

/** Scorers by what they are, each with one key. Their keys begin with the suite's slug: a project has them all. */
export class Scorers {
  readonly #prefix: string;
  readonly #names = new Names();
  readonly #known = new Map<string, ScorerEntry | { readonly why: string }>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Why the service would not take it, where it would not. */
  async entryOf({ type, config: given }: Scorer): Promise<ScorerEntry | { readonly why: string }> {
    const { rubric } = given;
    const config = typeof rubric === 'string' ? { ...given, rubric: escapedReference(rubric) } : given;
    const id = JSON.stringify([type, config]);
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const why = await whyRefused(type, config);
    const entry = why === undefined ? { key: this.#keyOf(type), type, config } : { why };
    this.#known.set(id, entry);
    return entry;
  }

  all(): ScorerEntry[] {
    return [...this.#known.values()].filter((entry) => 'key' in entry);
  }

  #keyOf(type: string): string {
    return this.#names.unique(`${this.#prefix}-${type.replaceAll('_', '-')}`);
  }
}

async function whyRefused(type: string, config: Fields): Promise<string | undefined> {
  const sent = newScorerSchema.safeParse({ name: type, type, config });
  if (!sent.success) return sent.error.issues.map(({ path, message }) => `${inWords(path)}: ${message}`)[0];
  const checked = await validateScorerConfig(sent.data.type, config, { dualSided: false });
  return checked.ok ? undefined : checked.issues.map(({ path, message }) => `${path}: ${message}`)[0];
}
