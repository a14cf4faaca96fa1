import { contracts } from '../../shared/contracts/registry.ts';

const HEAD = `# API

Every endpoint, written by \`npm run docs\` from the contracts in \`shared/contracts/\`. Parameters, bodies, answers and
errors are on the page that each service has under \`/docs\`, and in OpenAPI 3.1 under \`/openapi.json\`
([here](../clients/pages/openapi.json)). In brackets is the least [scope](credentials.md#scopes); the others need no
credential. What the endpoints have in common is in [requests.md](requests.md).
`;

export function apiDocument(): string {
  const lines = contracts
    .filter(({ path }) => path !== '$default')
    .map(({ method, path, summary, access, scope = 'full' }) => {
      const needed = access === 'public' ? '' : ` (\`${scope}\`)`;
      return `- \`${method} ${path}\`${needed}: ${summary}\n`;
    });
  return `${HEAD}\n${lines.join('')}`;
}
