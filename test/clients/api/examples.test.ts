import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Example, IDS } from '../../../clients/api/examples/example.ts';
import { EXAMPLES } from '../../../clients/api/examples/examples.ts';
import { curlOf, requestPath } from '../../../clients/api/openapi/samples.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { bash } from '../../docs/shell.ts';
import { bodyOf } from '../../support/api.ts';
import { expectDocumented } from '../../support/documented.ts';
import { type Providers, startProviders } from '../../support/providers.ts';
import { type RunningService, startService } from '../../support/service.ts';

let providers: Providers;
let service: RunningService;
beforeAll(async () => {
  providers = await startProviders();
  service = await startService({ env: providers.env });
  env = { EVALGATE_URL: service.baseUrl, EVALGATE_API_KEY: service.apiKey };
});
afterAll(async () => {
  await service.stop();
  await providers.stop();
});

/** Of the shell that the samples are pasted into. */
let env: Record<string, string>;
/** The ids that the service gave, by those that the documentation shows. */
const given = new Map<string, string>();

const withGiven = (text: string): string =>
  [...given].reduce((known, [shown, real]) => known.replaceAll(shown, real), text);

const contractOf = ({ id }: Example) => {
  const contract = contracts.find((one) => one.id === id);
  if (contract === undefined) throw new Error(`There is no endpoint ${id}.`);
  return contract;
};

/** What the printed command answers. */
async function pasted(example: Example) {
  const command = withGiven(curlOf(contractOf(example), example).source);
  const told = await bash(`${command} -w '\\n%{http_code} %{content_type}'`, { cwd: '.', env });
  expect(told).toMatchObject({ code: 0, stderr: '' });
  const lines = told.stdout.split('\n');
  const [, status, type] = /^(\d+) (.*)$/.exec(lines.pop() ?? '') ?? [];
  const headers = new Headers(type ? { 'content-type': type } : {});
  return { status: Number(status), headers, body: bodyOf(headers, lines.join('\n')) };
}

/** What a customer does at the page of the answer, and what a new organisation's shell is told. */
const AFTERWARDS: Readonly<Record<string, (body: never) => Promise<void>>> = {
  'auth/signup': async ({ data }: { data: { api_key: { key: string } } }) => {
    env = { ...env, EVALGATE_API_KEY: data.api_key.key };
  },
  'billing/checkout': async ({ checkout_url }: { checkout_url: string }) => {
    await fetch(checkout_url, { method: 'POST', redirect: 'manual' });
  },
};

describe('the samples of the documentation, pasted one after the other, answer as documented', () => {
  test.each(EXAMPLES.map((example) => [example.id, example.title, example] as const))(
    '%s: %s',
    async (id, _, example) => {
      const answer = await pasted(example);
      expect(answer.status).toBe(example.status);
      const { method } = contractOf(example);
      const path = withGiven(requestPath(contractOf(example), example));
      expectDocumented({ method, path, ...answer });
      if (example.makes !== undefined)
        given.set(IDS[example.makes], String(answer.body.data?.id ?? answer.body.id));
      // A status that a title or a name promises.
      if (['cleared', 'aborted'].includes(answer.body?.status))
        expect(`${example.name} ${example.title}`).toContain(answer.body.status);
      await AFTERWARDS[id]?.(answer.body as never);
    },
  );
});
