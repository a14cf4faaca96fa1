import { Document } from 'yaml';
import { templates } from '../../shared/domain/templates/index.ts';

type Template = (typeof templates)[number];

/** As the service makes it of the names of a template, all of which are ASCII and differ. */
const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A template as the file of a suite, but for its first lines, which name version and suite. */
export function suiteBody({ name, description, cases }: Template): string {
  const scorers = cases.map((one) => [keyOf(one.name), { type: one.scorer_type, config: one.scorer_config }]);
  const content = {
    name,
    description,
    pass_threshold: 1,
    scorers: Object.fromEntries(scorers),
    cases: cases.map((evalCase) => ({
      key: keyOf(evalCase.name),
      name: evalCase.name,
      description: evalCase.description,
      input: {},
      scorer: keyOf(evalCase.name),
      threshold: evalCase.threshold,
      ...(evalCase.must_pass && { must_pass: true }),
    })),
  };
  return new Document(content).toString({ blockQuote: 'literal', lineWidth: 110 });
}

/** By their slugs. `init` needs no service for them. */
export const TEMPLATES: ReadonlyMap<string, Template> = new Map(
  templates.map((template) => [template.slug, template]),
);
