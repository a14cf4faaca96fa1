import { type Need, SCOPES, scopesFor } from '../../shared/contracts/base/scopes.ts';
import { contracts } from '../../shared/contracts/registry.ts';

const HEAD = `# API

Every endpoint, written by \`npm run docs\` from the contracts in \`shared/contracts/\`. Parameters, bodies, answers and
errors are on the page that each service has under \`/docs\`, and in OpenAPI 3.1 under \`/openapi.json\`
([here](../clients/pages/openapi.json)). In brackets are the [scopes](credentials.md#scopes) that may call it
besides \`full\`; the others need no credential. What the endpoints have in common is in [requests.md](requests.md).
`;

function scopesNamed(needed: Need): string {
  const enough = scopesFor(needed);
  if (enough.length === SCOPES.length) return 'any';
  const named = enough.filter((scope) => scope !== 'full' || enough.length === 1);
  return named.map((scope) => `\`${scope}\``).join(', ');
}

export function apiDocument(): string {
  const lines = contracts
    .filter(({ path }) => path !== '$default')
    .map(({ method, path, summary, access, scope = 'full' }) => {
      const needed = access === 'public' ? '' : ` (${scopesNamed(scope)})`;
      return `- \`${method} ${path}\`${needed}: ${summary}\n`;
    });
  return `${HEAD}\n${lines.join('')}`;
}
