import { Evalgate } from '../clients/sdk/index.ts';

/**
 * Makes the suite `smoke` in the project `smoke`, which what `scripts/smoke.ts` says has to pass, and prints an API key
 * that runs it: `node scripts/with-node.mjs scripts/smokeSuite.ts <base URL>`, with EVALGATE_API_KEY.
 */
const SAYS: Readonly<Record<string, string>> = {
  'it is healthy': 'healthy: http',
  'pages are served': 'pages: /openapi.json, /docs',
  'credentials hold': 'credentials: key, token, session, and nothing without',
  'gates clear and abort': 'gates: one cleared, one aborted',
};

const [url] = process.argv.slice(2);
const gate = new Evalgate({ url });
const project = await gate.projects.create({ name: 'Smoke test', slug: 'smoke' });
const suite = await gate.suites.create(project.slug, {
  name: 'Smoke test',
  slug: 'smoke',
  pass_threshold: 1,
});
for (const [name, text] of Object.entries(SAYS)) {
  const config = { values: [text] };
  const scorer = await gate.scorers.create(project.slug, { name, type: 'contains', config });
  await gate.cases.create(suite.id, { name, input: {}, scorer_id: scorer.id });
}
const { key } = await gate.apiKeys.create({ name: 'CI', scope: 'run', project: project.slug });
process.stdout.write(`${key}\n`);
