import { contracts } from '../../shared/contracts/registry.ts';
import { table } from './table.ts';

const HEAD = `# API

Every endpoint, written by \`npm run docs\` from the contracts in \`shared/contracts/\`. Parameters, bodies, answers and
errors are on the page that each service has under \`/docs\`, and in OpenAPI 3.1 under \`/openapi.json\`
([here](../clients/pages/openapi.json)). What the endpoints have in common is in [requests.md](requests.md).
`;

export function apiDocument(): string {
  const rows = contracts
    .filter(({ path }) => path !== '$default')
    .map(({ method, path, summary, access, scope = 'full' }) => [
      `\`${method} ${path}\``,
      summary,
      access === 'public' ? 'none' : `\`${scope}\``,
    ]);
  return `${HEAD}\n${table([['Endpoint', 'Purpose', 'Scope'], ...rows])}\n`;
}
