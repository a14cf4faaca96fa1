import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { APP_PATHS } from '../../../../clients/pages/app.ts';
import { PAGE_FILES } from '../../../../clients/pages/files.ts';
import { environments } from '../../../../infra/aws/environments.ts';
import { functionIds, routeKeysOf } from '../../../../infra/aws/functions.ts';
import { dashboard } from '../../../../infra/local/http/dashboard.ts';
import type { PageRequest } from '../../../../infra/local/http/httpServer.ts';
import { staticPages } from '../../../../infra/local/http/staticPages.ts';
import { contracts } from '../../../../shared/contracts/registry.ts';
import { type Assembly, assemble } from './assembly.ts';
import type { Deployed } from './deployed.ts';
import { deployedFrom } from './template.ts';

const OPTIONS = {
  queueBaseUrl: 'http://127.0.0.1:1',
  secrets: { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRETS: 'whsec_test' },
};
const environment = {
  ...environments.prod,
  region: 'eu-central-1',
  payments: {
    pricePro: 'price_pro',
    priceScale: 'price_scale',
    priceProOverage: 'price_pro_overage',
    priceScaleOverage: 'price_scale_overage',
    meterEventName: 'runs',
  },
  judge: { OPENAI_BASE_URL: 'http://127.0.0.1:2' },
  githubOidcIssuer: 'https://github.example.com/_services/token',
  issuerAllowlist: ['gitlab.example.com:8443', '10.0.0.7:443'],
};

let assembly: Assembly;
let deployed: Deployed;
beforeAll(async () => {
  assembly = await assemble(environment);
  deployed = deployedFrom(assembly, OPTIONS);
});
afterAll(() => {
  const [asset = ''] = assembly.stacks.flatMap(({ assets }) => [...assets.values()]);
  const folder = path.resolve(asset, '../..');
  expect([path.isAbsolute(asset), existsSync(folder)]).toEqual([true, true]);
  assembly.remove();
  expect(existsSync(folder)).toBe(false);
});

const variablesOf = (id: string) => deployed.functions.get(id)?.variables ?? {};
const knowing = (variable: string) =>
  [...deployed.functions.values()].filter(({ variables }) => variable in variables).map(({ id }) => id);

test('every function has its files, and every route leads to the function of its contract', () => {
  expect([...deployed.functions.keys()].sort()).toEqual([...functionIds].sort());
  for (const { folder, handler } of deployed.functions.values()) {
    const [file, name] = handler.split('.');
    expect([existsSync(path.join(folder, `${file}.mjs`)), name]).toEqual([true, 'handler']);
  }
  expect([...deployed.routes].sort()).toEqual(
    contracts.flatMap((contract) => routeKeysOf(contract).map((route) => [route, contract.id])).sort(),
  );
});

test('variables and rights name the very table, queue and keys that are made', () => {
  const { table, queues, keys } = deployed;
  const runs = queues.find(({ redrive }) => redrive !== undefined);
  const arnsOf = (wanted: string) => keys.filter(({ spec }) => spec === wanted).map(({ arn }) => arn);
  expect(variablesOf('evaluator/evaluate')).toMatchObject({
    TABLE_NAME: table.name,
    QUEUE_URL: `http://127.0.0.1:1/${deployed.account}/${runs?.name}`,
    KMS_KEY_ID: arnsOf('SYMMETRIC_DEFAULT')[0],
    OPENAI_BASE_URL: 'http://127.0.0.1:2',
  });
  expect(variablesOf('auth/token').TOKEN_KMS_KEY_IDS).toBe(arnsOf('RSA_2048').join());
  expect(variablesOf('runs/statement').STATEMENT_KMS_KEY_IDS).toBe(arnsOf('ECC_NIST_P256').join());
  const made = new Set([table.arn, ...queues.map(({ arn }) => arn), ...keys.map(({ arn }) => arn)]);
  for (const { statements } of deployed.functions.values()) {
    const resources = statements
      .filter(({ actions }) => actions.every((action) => !action.startsWith('logs:')))
      .flatMap((statement) => statement.resources);
    for (const resource of resources) expect(made).toContain(resource);
  }
});

test('secrets reach their functions only, and the edge sends one that functions accept', () => {
  expect(variablesOf('billing/webhook')).toMatchObject(OPTIONS.secrets);
  const { 'x-evalgate-origin': proof, ...others } = deployed.edge.headers;
  expect(others).toEqual({});
  const believed = variablesOf('projects/get').ORIGIN_SECRETS?.split(',');
  expect(believed).toHaveLength(2);
  expect(believed?.[0]).toBe(proof);
  expect(deployed.edge.forwardedHeaders).toEqual(expect.arrayContaining(['authorization', 'content-type']));
});

const pageRequest = (method: string, path: string): PageRequest => ({
  method,
  path,
  headers: {},
  body: Buffer.alloc(0),
  httpVersion: '1.1',
  remoteAddress: '127.0.0.1',
});

test('the edge answers pages from its bucket as the service of a laptop does', async () => {
  const onLaptop = staticPages();
  const paths = PAGE_FILES.map(({ path }) => path);
  expect(deployed.edge.patterns).toEqual([...paths, ...APP_PATHS]);
  for (const path of paths) {
    const asked = pageRequest('GET', path);
    expect(deployed.edge.answer('GET', path)).toEqual(await onLaptop(asked));
  }
});

test('the edge answers for the dashboard as the service of a laptop does, but that it compresses by itself', async () => {
  const onLaptop = dashboard({ sign_up: 'open', payments: 'on' });
  const page = String(deployed.edge.answer('GET', '/app')?.body);
  const assets =
    Buffer.from(page, 'base64')
      .toString()
      .match(/\/assets\/[\w.-]+/g) ?? [];
  expect(assets.length).toBeGreaterThanOrEqual(2);
  const pages = ['/', '/app', '/app/', '/app/runs/run_1', '/app/index.html', '/app/x.js', '/app.json'];
  for (const path of [...pages, ...assets, '/assets/none.js', '/assets/', '/apple', '/v1/app', '/App']) {
    const { headers, ...answer } = (await onLaptop(pageRequest('GET', path))) ?? {};
    const { vary: _, ...others } = headers ?? {};
    const expected = headers === undefined ? undefined : { ...answer, headers: others };
    expect([path, deployed.edge.answer('GET', path)]).toEqual([path, expected]);
  }
  for (const path of pages) {
    const post = pageRequest('POST', path);
    expect(deployed.edge.answer('POST', path)).toEqual(await onLaptop(post));
  }
});

test('only functions that read what issuers publish receive the allow-list, and with the one that signs statements the issuer of GitHub, if configured', async () => {
  const reading = [
    'auth/token',
    'auth/beginSignIn',
    'auth/finishSignIn',
    'trustedIssuers/create',
    'signIn/put',
  ];
  expect(knowing('GITHUB_OIDC_ISSUER')).toEqual([...reading, 'runs/statement']);
  expect(knowing('ISSUER_ALLOWLIST')).toEqual(reading);
  expect(variablesOf('auth/token')).toMatchObject({
    GITHUB_OIDC_ISSUER: environment.githubOidcIssuer,
    ISSUER_ALLOWLIST: 'gitlab.example.com:8443,10.0.0.7:443',
  });
  expect(Object.values(environments).flatMap(({ issuerAllowlist }) => issuerAllowlist)).toEqual([]);
  expect(Object.values(environments).map(({ githubOidcIssuer }) => githubOidcIssuer)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('workers are invoked by their queues and schedules', () => {
  const queueOf = (arn: string) => deployed.queues.find((queue) => queue.arn === arn);
  const sources = deployed.eventSources.map(({ functionId, queueArn }) => [
    functionId,
    queueOf(queueArn)?.redrive,
  ]);
  expect(sources).toEqual([
    ['evaluator/evaluate', expect.objectContaining({ maxReceiveCount: 5 })],
    ['evaluator/deadLetters', undefined],
  ]);
  const eachShard = (id: string) => Array.from({ length: 8 }, (_, shard) => [id, { detail: { shard } }]);
  const schedules = deployed.schedules.filter(({ isOn }) => isOn);
  expect(schedules.map(({ functionId, input }) => [functionId, input])).toEqual([
    ...eachShard('evaluator/sweep'),
    ['evaluator/resumeRetention', undefined],
    ['evaluator/purge', undefined],
    ...eachShard('billing/reportOverage'),
  ]);
});

test('all is in the region of the environment but the firewall, which the edge knows', () => {
  expect([deployed.region, deployed.table.arn.split(':')[3]]).toEqual(['eu-central-1', 'eu-central-1']);
});
