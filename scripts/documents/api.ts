import { type Need, SCOPES, scopesFor } from '../../shared/contracts/base/scopes.ts';
import { contracts } from '../../shared/contracts/registry.ts';

const HEAD = `# API

Every endpoint, written by \`npm run docs\` from the contracts in \`shared/contracts/\`. What each does and takes is on the page
that every service has under \`/docs\`, and in OpenAPI 3.1 under \`/openapi.json\` ([here](../clients/pages/openapi.json)). In
brackets are the [scopes](credentials.md#scopes) that may call it besides \`full\`; the others need no credential.
[requests.md](requests.md) lists what the endpoints have in common.
`;

function scopesNamed(needed: Need): string {
  const enough = scopesFor(needed);
  if (enough.length === SCOPES.length) return 'any';
  const named = enough.filter((scope) => scope !== 'full' || enough.length === 1);
  return named.map((scope) => `\`${scope}\``).join(', ');
}

export function apiDocument(): string {
  const shown = contracts.filter(({ path }) => path !== '$default');
  const lines = [...Map.groupBy(shown, ({ path }) => path)].map(([path, ofPath]) => {
    const methods = ofPath.map(({ method, access, scope = 'full' }) =>
      access === 'public' ? method : `${method} (${scopesNamed(scope)})`,
    );
    return `- \`${path}\`: ${methods.join(', ')}\n`;
  });
  return `${HEAD}\n${lines.join('')}`;
}
