import * as z from 'zod';
import { environmentSchema } from '../../infra/local/config.ts';
import { judgeVariablesSchema } from '../../shared/judge/settings.ts';
import { configSchema } from '../../shared/runtime/config.ts';
import { issuersVariables } from '../../shared/runtime/issuersConfig.ts';
import { paymentsVariables } from '../../shared/runtime/paymentsConfig.ts';
import { statementsVariables } from '../../shared/runtime/statementsConfig.ts';
import { VARIABLES } from './variables.ts';

const HEAD = `# Configuration

Every environment variable that the service reads, written by \`npm run docs\` from \`scripts/documents/variables.ts\`. In
brackets is the default. A blank variable is not set; a wrong one ends the start with a sentence that names it. On AWS the stacks
set them, from \`infra/aws/environments.ts\`.

The embedded DynamoDB engine is installed on Linux x64. Elsewhere the service tries \`npx dynoxide\`; or run any
DynamoDB-compatible engine and set \`DYNAMODB_ENDPOINT\`.
`;

/** The first that knows a variable says its default: what `npm start` does comes first. */
const SCHEMAS: readonly Readonly<Record<string, z.ZodType>>[] = [
  environmentSchema.shape,
  configSchema.def.in.shape,
  paymentsVariables,
  issuersVariables,
  statementsVariables,
  judgeVariablesSchema.def.in.shape,
];

export function configurationDocument(): string {
  const groups = Object.entries(Object.groupBy(Object.entries(VARIABLES), ([, { group }]) => group));
  const sections = groups.map(([title, variables = []]) => {
    const lines = variables.map(([name, text]) => {
      const value = text.default ?? defaultOf(name);
      return `- \`${name}\`${value && ` (${value})`}: ${text.meaning}\n`;
    });
    return `\n## ${title}\n\n${lines.join('')}`;
  });
  return HEAD + sections.join('');
}

function defaultOf(name: string): string {
  const schema = SCHEMAS.map((shape) => shape[name]).find((candidate) => candidate !== undefined);
  if (!(schema instanceof z.ZodDefault)) return '';
  const value: unknown = schema.def.defaultValue;
  return Array.isArray(value) && value.length === 0 ? '' : `\`${String(value)}\``;
}
