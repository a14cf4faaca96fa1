import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/service.ts';
import { firstOf } from '../../support/soak.ts';
import { type Said, spawned } from '../../support/spawned.ts';
import { aGate, type Gated } from '../gated.ts';

const url = sharedServiceUrl();
const { version } = JSON.parse(readFileSync(path.join(REPOSITORY_DIR, 'package.json'), 'utf8'));
/** Users of the package may have another Node than the one of this repository. */
const THEIR_NODE = process.env.EVALGATE_TEST_NODE || NODE;

const root = temporaryFolder();
/** Where somebody who has nothing but npm installs it. */
const folder = path.join(root, 'empty');
const tarball = path.join(folder, `evalgate-${version}.tgz`);
const installed = path.join(folder, 'node_modules/evalgate');
let gated: Gated;

/** Without a registry: what npm would ask there fails. */
const ENV = {
  PATH: `${path.dirname(THEIR_NODE)}:${process.env.PATH}`,
  HOME: path.join(root, 'home'),
  npm_config_registry: 'http://127.0.0.1:1/',
  npm_config_cache: path.join(root, 'cache'),
  npm_config_audit: 'false',
  npm_config_fetch_retries: '0',
};

const run = (command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Said> =>
  spawned(command, args, { cwd: folder, env: { ...ENV, ...env } }).ended;

const evalgate = (...args: string[]) =>
  run(THEIR_NODE, [path.join(folder, 'node_modules/.bin/evalgate'), ...args], {
    EVALGATE_URL: url,
    EVALGATE_API_KEY: gated.apiKey,
  });

function write(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return name;
}

beforeAll(async () => {
  gated = await aGate(url);
  mkdirSync(folder, { recursive: true });
  const served = await fetch(`${url}/client/evalgate.tgz`);
  writeFileSync(tarball, Buffer.from(await served.arrayBuffer()));
  const { code, stderr } = await run('npm', ['install', '--offline', `./${path.basename(tarball)}`]);
  if (code !== 0) throw new Error(stderr);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the package that the service serves', () => {
  test('is what the sources give, however often it is packed', () => {
    const packed = execFileSync(NODE, [path.join(REPOSITORY_DIR, 'clients/npm/pack.ts')], {
      maxBuffer: 50_000_000,
    });
    expect(packed.equals(readFileSync(tarball))).toBe(true);
  });

  test('brings no other package along, runs nothing when it is installed, and is not published by accident', () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'evalgate', version, private: true });
    for (const name of ['dependencies', 'optionalDependencies', 'peerDependencies', 'scripts']) {
      expect(manifest).not.toHaveProperty(name);
    }
    expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'evalgate',
    ]);
  });

  test('holds what it names, the licences of what it contains, and no source', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'dist/cli/evalgate.js', 'dist/types/index.d.ts']),
    );
    expect(files.filter((name) => /(?<!\.d)\.ts$|node_modules|tsconfig/.test(name))).toEqual([]);
    const licenses = readFileSync(path.join(installed, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
    for (const name of ['@clack/prompts', 'ajv', 'commander', 'yaml', 'zod']) {
      expect(licenses).toMatch(new RegExp(`^${name}\n\n`, 'm'));
    }
  });

  test('is run from the address of the service, without a registry', async () => {
    const said = await run('npm', [
      'exec',
      '--yes',
      `--package=${url}/client/evalgate.tgz`,
      '--',
      'evalgate',
      '--version',
    ]);
    expect(said).toMatchObject({ code: 0, stdout: `${version}\n` });
  });
});

describe('its command line', () => {
  test('names the Node that it needs where the present one is older', async () => {
    const older = "Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })";
    const file = path.join(folder, 'node_modules/.bin/evalgate');
    expect(await run(THEIR_NODE, ['--import', `data:text/javascript,${older}`, file, '--help'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'evalgate: Node 22.12 or newer is needed, this is 20.20.2.\n',
    });
  });

  test('goes through the proxy of the environment, or states that this version of Node goes around it', async () => {
    const { stdout } = await run(THEIR_NODE, ['--print', '"setGlobalProxyFromEnv" in http']);
    const { code, stderr } = await run(
      THEIR_NODE,
      [path.join(folder, 'node_modules/.bin/evalgate'), 'whoami'],
      {
        EVALGATE_URL: 'https://no-such-host.invalid',
        EVALGATE_API_KEY: gated.apiKey,
        EVALGATE_RETRIES: '0',
        HTTPS_PROXY: 'http://127.0.0.1:9',
      },
    );
    const hint = stdout === 'true\n' ? 'does that proxy work' : 'only with NODE_USE_ENV_PROXY=1';
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`HTTPS_PROXY is set: `) });
    expect(stderr).toContain(hint);
  });

  test('writes, checks and tries suites without the service', async () => {
    expect(await evalgate('init', '--offline', '--github')).toMatchObject({ code: 0 });
    expect(await evalgate('validate')).toMatchObject({ code: 0, stderr: '' });
    write('answer.txt', 'within 30 days');
    expect(await evalgate('try', 'returns', '--output', 'answer.txt')).toMatchObject({ code: 0 });
    write('evals/returns.suite.yaml', 'version: 1\nsuite: returns\npass_treshold: 1\n');
    const { code, stdout, stderr } = await evalgate('validate');
    expect({ code, said: stdout + stderr }).toEqual({
      code: 2,
      said: expect.stringContaining('evals/returns.suite.yaml:3:1'),
    });
    rmSync(path.join(folder, 'evals'), { recursive: true });
    rmSync(path.join(folder, 'evalgate.yaml'));
  });

  test('checks what each type of scorer is configured with', async () => {
    mkdirSync(path.join(folder, 'evals'));
    write('evalgate.yaml', 'version: 1\nsuites: [evals/*.suite.yaml]\n');
    const scorers = {
      shape: { type: 'json_schema', config: { schema: { type: 'object', required: ['a'] } } },
      field: { type: 'json_path', config: { assertions: [{ path: '$.a', op: 'equals', value: 1 }] } },
      word: { type: 'regex', config: { pattern: '"a"' } },
      near: { type: 'similarity', config: { metric: 'levenshtein' } },
    };
    const cases = Object.keys(scorers).map((scorer) => ({
      key: scorer,
      input: {},
      scorer,
      expected: '{"a": 1}',
    }));
    write('evals/all.suite.yaml', JSON.stringify({ version: 1, suite: 'all', scorers, cases }));
    write('answer.txt', '{"a": 1}');
    const said = await evalgate('try', 'all', '--output', 'answer.txt');
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('4 cases passed') });
  });

  test('runs a gate: 0 for a cleared run, 1 for an aborted one, 2 for an unknown suite', async () => {
    write('good.txt', 'within 30 days');
    write('bad.txt', 'never');
    expect(await evalgate('run', 'returns', '--output', 'good.txt')).toMatchObject({ code: 0 });
    expect(await evalgate('run', 'returns', '--output', 'bad.txt')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✗ window'),
    });
    expect(await evalgate('run', 'retuns', '--output', 'good.txt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('returns'),
    });
  });
});

describe('its SDK', () => {
  const GATE = `const gate = new Evalgate();
    const outcomes = [];
    for (const output of ['within 30 days', 'never']) outcomes.push(await gate.run({ suite: 'returns', output }));
    console.log(JSON.stringify(outcomes.map(({ status }) => status)));`;
  const CREDENTIALS = () => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey });

  test.each([
    ['imported', `import { Evalgate } from 'evalgate';\n${GATE}`, 'mjs'],
    ['required', `const { Evalgate } = require('evalgate');\n(async () => {${GATE}})();`, 'cjs'],
  ])('runs gates where it is %s', async (_, source, extension) => {
    const said = await run(THEIR_NODE, [write(`gate.${extension}`, source)], CREDENTIALS());
    expect(said).toMatchObject({ code: 0, stdout: '["cleared","aborted"]\n' });
  });

  test('throws the same classes of errors from both of its entries', async () => {
    const source = `import { CredentialError, Evalgate } from 'evalgate';
      import { githubOidc } from 'evalgate/github-oidc';
      const gate = new Evalgate({ apiKey: githubOidc({ organisation: 'o' }) });
      const error = await gate.auth.whoami().catch((error) => error);
      console.log(error instanceof CredentialError, error.code);`;
    const said = await run(THEIR_NODE, [write('oidc.mjs', source)], CREDENTIALS());
    expect(said).toMatchObject({ code: 0, stdout: 'true NO_OIDC_TOKEN\n' });
  });

  test.each(
    firstOf(1, [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]),
  )(
    'has types for a strict program, as modules of %s, resolved as by %s',
    async (module, moduleResolution) => {
      write(
        'consumer.mts',
        `import { Evalgate, GateNotCleared, type Outcome } from 'evalgate';
      import { githubOidc } from 'evalgate/github-oidc';
      const gate = new Evalgate({ url: 'https://gate.example.com', apiKey: githubOidc() });
      const outcome: Outcome = await gate.run({ suite: 'returns', output: '' }, { wait: '15m' });
      const passed: boolean = outcome.passed;
      for await (const { id } of gate.suites.list('bot')) console.log(id satisfies string, passed);
      // @ts-expect-error a suite has a name
      await gate.suites.create('bot', { slug: 1 });
      export const isVerdict = (error: unknown) => error instanceof GateNotCleared && error.run.failures.length;
      `,
      );
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2024',
        strict: true,
        noEmit: true,
        types: [],

        lib: ['es2024', 'dom', 'dom.asynciterable'],
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
      };
      write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.mts'] }));
      const tsc =
        process.env.EVALGATE_TEST_TSC || path.join(REPOSITORY_DIR, 'node_modules/typescript/bin/tsc');
      expect(await run(NODE, [tsc, '-p', '.'])).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

  test('has the schemas of files', async () => {
    const schema = JSON.parse(readFileSync(path.join(installed, 'schema/suite.v1.json'), 'utf8'));
    expect(schema.properties).toHaveProperty('pass_threshold');
    const source = `import schema from 'evalgate/schema/suite.v1.json' with { type: 'json' };
      console.log(Object.keys(schema).length > 1);`;
    expect(await run(THEIR_NODE, [write('schema.mjs', source)])).toMatchObject({ code: 0, stdout: 'true\n' });
  });
});
