import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { newScorerSchema } from '../../../shared/contracts/scorers.ts';
import { validateScorerConfig } from '../../../shared/scoring/registry.ts';
import { keyOfScorerSchema, scorerEntrySchema } from '../check/fileSchemas.ts';
import { isFine, reportIssues } from '../check/issues.ts';
import { inWords } from '../read/parts.ts';
import type { Problems } from '../read/problems.ts';
import type { KeyedPart } from './loadFiles.ts';
import type { References } from './references.ts';

const bodySchema = newScorerSchema.omit({ key: true });

/** A scorer as the service would have it. */
export type ScorerFields = z.output<typeof bodySchema> & { readonly key: string };

interface DefinedScorer {
  readonly part: KeyedPart;
  /** Undefined for one that is wrong. */
  readonly fields: ScorerFields | undefined;
}

/** The scorers of all files. A key has one meaning, wherever it is given. */
export class DefinedScorers {
  readonly #references: References;
  readonly #problems: Problems;
  readonly #known = new Map<string, DefinedScorer>();

  constructor(references: References, problems: Problems) {
    this.#references = references;
    this.#problems = problems;
  }

  /** The first one that has the key. */
  get(key: string): DefinedScorer | undefined {
    return this.#known.get(key);
  }

  async add(part: KeyedPart): Promise<void> {
    const fields = await this.#defined(part);
    const { key, document, path } = part;
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, { part, fields });
    else if (fields !== undefined && known.fields !== undefined && !isDeepStrictEqual(fields, known.fields)) {
      const { file, line, column } = known.part.document.atName(known.part.path);
      this.#problems.error(
        document.atName(path),
        `the scorer "${key}" is another one at ${file}:${line}:${column}: rename one, or keep one in the file of shared scorers`,
      );
    }
  }

  async #defined(part: KeyedPart): Promise<ScorerFields | undefined> {
    const { key, document, path, value } = part;
    const isKeyFine = isFine({ document, path, value: key }, keyOfScorerSchema, this.#problems);
    if (!isFine(part, scorerEntrySchema(value), this.#problems) || !isKeyFine) return undefined;
    const entry = value as { readonly name?: string; readonly config: Record<string, unknown> };
    const config = this.#resolved(part, entry.config);
    if (config === undefined) return undefined;
    const sent = { name: key, ...entry, config };
    const parsed = bodySchema.safeParse(sent);
    if (!parsed.success) {
      reportIssues({ ...part, value: sent }, bodySchema, parsed.error.issues, this.#problems);
      return undefined;
    }
    return this.#compiled(part, { ...parsed.data, key });
  }

  /** With what its files say. */
  #resolved(part: KeyedPart, config: Record<string, unknown>): Record<string, unknown> | undefined {
    const resolved = { ...config };
    for (const field of ['schema', 'rubric']) {
      if (!Object.hasOwn(config, field)) continue;
      const fieldPart = { ...part, path: [...part.path, 'config', field], value: config[field] };
      resolved[field] =
        field === 'rubric'
          ? this.#references.text(fieldPart)
          : this.#references.document(fieldPart, { isText: false });
      if (resolved[field] === undefined) return undefined;
    }
    return resolved;
  }

  /** As a run would use it. */
  async #compiled({ document, path }: KeyedPart, fields: ScorerFields): Promise<ScorerFields | undefined> {
    const { type, config, dual_sided: dualSided } = fields;
    const checked = await validateScorerConfig(type, config, { dualSided });
    const strays = SIDE_THRESHOLDS.filter((name) => !dualSided && fields[name] !== null);
    const issues = [
      ...(checked.ok ? [] : checked.issues),
      ...strays.map((name) => ({
        path: name,
        message: 'is for dual-sided scorers only: set dual_sided to true',
      })),
    ];
    for (const issue of issues) {
      const issuePath = [...path, ...issue.path.split('.')];
      this.#problems.error(document.at(issuePath), `${inWords(issuePath)}: ${issue.message}`);
    }
    return checked.ok && issues.length === 0 ? { ...fields, config: checked.config } : undefined;
  }
}

const SIDE_THRESHOLDS = ['precision_threshold', 'recall_threshold'] as const;
