import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { readConfig } from '../../../infra/local/config.ts';
import { VARIABLES } from '../../../scripts/documents/variables.ts';
import { listening } from '../../support/listening.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { spawned } from '../../support/spawned.ts';

const read = (name: string) => readFileSync(path.join(REPOSITORY_DIR, name), 'utf8');
const { services, volumes } = parse(read('compose.yaml'));
const { evalgate } = services;

test('the container of compose.yaml writes to its volume and /tmp only, as a user without rights, for callers of this machine', () => {
  expect(evalgate).toMatchObject({
    build: { dockerfile: 'Containerfile' },
    user: 'node',
    read_only: true,
    tmpfs: ['/tmp'],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    ports: ['127.0.0.1:3000:3000'],
  });
  expect(evalgate).not.toHaveProperty('privileged');
  const [volume, folder] = evalgate.volumes[0].split(':');
  expect([evalgate.volumes.length, Object.keys(volumes)]).toEqual([1, [volume]]);
  expect(read('Containerfile')).toContain(`\nVOLUME ${folder}\n`);
});

test('the variables of compose.yaml are documented ones, and its defaults are settings that the service takes', () => {
  const given = Object.entries<string | null>(evalgate.environment);
  expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(given.map(([name]) => name)));
  const defaults = given.map(([name, value]) => [name, value?.replace(/^\$\{\w+:-(.*)\}$/, '$1')]);
  expect(readConfig(Object.fromEntries(defaults)).plan).toBe('enterprise');
});

test.each([
  [200, 0],
  [503, 1],
  [undefined, 1],
])(
  'where /health answers %j the health check of compose.yaml ends with exit code %j',
  async (status, expected) => {
    const server = await listening(
      createServer(({ url, socket }, response) => {
        if (status === undefined) socket.destroy();
        else response.writeHead(url === '/health' ? status : 404).end();
      }),
    );
    const [kind, program, ...args]: string[] = evalgate.healthcheck.test;
    expect([kind, program]).toEqual(['CMD', 'node']);
    const command = args.map((word) => word.replace('127.0.0.1:3000', new URL(server.url).host));
    const { code } = await spawned(NODE, command, { env: { ...process.env, NODE_OPTIONS: '' } }).ended;
    expect(code).toBe(expected);
    await server.stop();
  },
);
