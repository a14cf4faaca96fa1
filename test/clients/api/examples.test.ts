import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../../clients/api/document.ts';
import { type Example, IDS } from '../../../clients/api/examples/example.ts';
import { EXAMPLES } from '../../../clients/api/examples/examples.ts';
import { clientSamplesOf } from '../../../clients/api/openapi/clientSamples.ts';
import { curlOf, requestPath } from '../../../clients/api/openapi/samples.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { bash } from '../../docs/shell.ts';
import { api, bodyOf, sharedServiceUrl } from '../../support/api.ts';
import { expectDocumented } from '../../support/documented.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/service.ts';
import { MAIN } from '../cli/cli.ts';

beforeAll(async () => {
  const url = sharedServiceUrl();
  const { body } = await api(url)('POST', '/v1/auth/signup', { name: 'Reader' });
  env = { EVALGATE_URL: url, EVALGATE_API_KEY: body.data.api_key.key };
});

/** Of the shell that the samples are pasted into. */
let env: Record<string, string>;
const DAY_MS = 86_400_000;

/** The ids that the service gave, by those that the documentation shows. */
const given = new Map<string, string>([[IDS.until, new Date(Date.now() + DAY_MS).toISOString()]]);

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
  const printed = await bash(`${command} -w '\\n%{http_code} %{content_type}'`, { cwd: '.', env });
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  const lines = printed.stdout.split('\n');
  const [, status, type] = /^(\d+) (.*)$/.exec(lines.pop() ?? '') ?? [];
  const headers = new Headers(type ? { 'content-type': type } : {});
  return { status: Number(status), headers, body: bodyOf(headers, lines.join('\n')) };
}

/** What a customer does at the page of the answer, and what a new organisation's shell prints. */
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
        given.set(IDS[example.makes], madeBy(example.makes, answer.body.data ?? answer.body));
      // A status that a title or a name promises.
      if (['cleared', 'aborted'].includes(answer.body?.status))
        expect(`${example.name} ${example.title}`).toContain(answer.body.status);
      await sameByClients(example, answer.body ?? {});
      await AFTERWARDS[id]?.(answer.body as never);
    },
  );
});

const madeBy = (
  makes: Example['makes'],
  { id, suite_digest }: { id: string; suite_digest: string },
): string => (makes === 'digest' ? suite_digest.replace('sha256:', '') : id);

/** The samples of the package say the same, as runs of their own. */
async function sameByClients(example: Example, { status }: { readonly status?: string }): Promise<void> {
  const [sdk, command, ...others] = clientSamplesOf(example).map(({ source }) =>
    withGiven(source).replace('8c1f2a7e-build-4711', randomUUID()),
  );
  if (sdk === undefined || command === undefined)
    return expect(example.id === 'runs/create' && example.status < 300 && !example.isOfHttp).toBe(false);
  expect(others).toEqual([]);
  const file = path.join(temporaryFolder(), 'sample.mts');
  const source = pathToFileURL(path.join(REPOSITORY_DIR, 'clients/sdk/index.ts')).href;
  writeFileSync(file, sdk.replace("'evalgate'", `'${source}'`));
  const run = `"${NODE}" --disable-warning=ExperimentalWarning`;
  const bySdk = await bash(`${run} ${file}`, { cwd: '.', env: { ...env, NODE_OPTIONS: '' } });
  expect(bySdk).toEqual({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^run_\\w+ ${status}\\n$`)),
    stderr: '',
  });
  const evalgate = `evalgate() { "${NODE}" "${MAIN}" "$@"; }\n`;
  const said = await bash(`${evalgate}${command}`, { cwd: temporaryFolder(), env });
  expect({ code: said.code, stderr: said.stderr }).toMatchObject({ code: status === 'aborted' ? 1 : 0 });
  expect(said.stdout).toMatch(status === 'pending' ? /^run_\w+\n$/ : new RegExp(`\n${status}`));
}

test('the samples of POST /v1/run show SDK and command line beside curl', () => {
  const samples = openApiDocument().paths['/v1/run']?.post?.['x-codeSamples'] ?? [];
  const [first] = samples;
  expect(samples.slice(0, 3).map(({ lang, label }) => [lang, label.split(':')[0]])).toEqual([
    ['shell', 'curl'],
    ['typescript', 'SDK'],
    ['shell', 'Command line'],
  ]);
  expect(first?.source).toContain('"$EVALGATE_URL"');
});
