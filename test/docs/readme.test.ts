import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { gateWorkflow, pushWorkflow } from '../../clients/cli/commands/init/workflows.ts';
import { pullRequest } from '../clients/action/payloads.ts';
import { BAD, GOOD, useGate, useWorld } from '../clients/action/world.ts';
import { blocksOf, readPage } from './pages.ts';

const [workflow = '', config = ''] = blocksOf(readPage('README.md'), 'yaml');
const LINES_MAX = 10;

const world = useWorld();
const gate = useGate(world);

test("the README's first workflow gates a pull request in ten lines", async () => {
  expect(workflow.trim().split('\n').length).toBeLessThanOrEqual(LINES_MAX);
  const steps: { uses?: string; run?: string; with?: Record<string, string> }[] =
    parse(workflow).jobs.gate.steps;
  const inputs = steps.find(({ uses }) => uses?.startsWith('OWNER/evalgate'))?.with ?? {};
  expect(steps.map(({ run }) => run)).toContain(`./answer.sh > ${inputs['output-file']}`);
  const { organisation } = parse(config);
  const own = config
    .replace('https://evalgate.example.com', world.url)
    .replace(organisation, gate.orgId)
    .replace('support-bot', 'bot');
  const run = (answer: string) =>
    gate.run({
      event: 'pull_request',
      payload: pullRequest(),
      inputs: { url: '', organisation: '', project: '', ...inputs },
      files: { [inputs['output-file'] ?? '']: answer, 'evalgate.yaml': own },
    });
  expect(await run(GOOD)).toMatchObject({ code: 0, outputs: { verdict: 'cleared' } });
  expect(await run(BAD)).toMatchObject({ code: 1, outputs: { verdict: 'aborted' } });
  expect(world.github.comments.get(2)).toHaveLength(1);
});

test('the workflows of docs/action.md are those that init writes', () => {
  const [gateShown, pushShown] = blocksOf(readPage('docs/action.md'), 'yaml');
  const { url } = parse(config);
  const facts = { suite: 'returns', url, action: 'OWNER/evalgate@<sha>', runsOn: 'ubuntu-latest' };
  expect([gateShown, pushShown]).toEqual([gateWorkflow(facts), pushWorkflow(facts)]);
});
