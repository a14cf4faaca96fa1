import { Document } from 'yaml';
import type { Template } from '../shared/contracts/templates.ts';
import { templates } from '../shared/domain/templates/index.ts';

/** As the service makes it of the names of a template, all of which are ASCII and differ. */
const keyOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** A template as the file of a suite, but for its first lines, which name version and suite. */
function suiteBody({ name, description, cases }: Template): string {
  const scorers = cases.map((one) => [keyOf(one.name), { type: one.scorer_type, config: one.scorer_config }]);
  const content = {
    name,
    description,
    pass_threshold: 1,
    scorers: Object.fromEntries(scorers),
    cases: cases.map((one) => ({
      key: keyOf(one.name),
      name: one.name,
      description: one.description,
      input: {},
      scorer: keyOf(one.name),
      threshold: one.threshold,
    })),
  };
  return new Document(content).toString({ blockQuote: 'literal', lineWidth: 110 });
}

/** The module of them that the command line has: `init` needs no service. */
export function printTemplates(): string {
  const entries = templates.map(
    (template) => `  ${JSON.stringify(template.slug)}: ${literal(suiteBody(template))},\n`,
  );
  return `// Written by \`npm run clients\` from the templates in shared/domain/templates.

/** By their slugs. */
export const TEMPLATES: Readonly<Record<string, string>> = {
${entries.join('')}};
`;
}

const literal = (text: string): string => `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
