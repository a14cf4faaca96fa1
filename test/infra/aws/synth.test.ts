import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ENVIRONMENT_NAMES, environmentOf } from '../../../infra/aws/environments.ts';
import { firstOf } from '../../support/soak.ts';
import { assemble } from './cloud/assembly.ts';

/** CloudFormation's limits of a template are 1 MB and 500 resources. */
const TEMPLATE_BYTES_MAX = 1_000_000;
const RESOURCES_MAX = 250;
const STACKS = 11;
/** Other tests synthesise the others in this process. */
const ENVIRONMENTS = firstOf(1, ENVIRONMENT_NAMES);

interface Template {
  readonly Resources: Readonly<Record<string, { Type: string; Properties: Properties }>>;
}
interface Properties {
  readonly Code: { readonly S3Key: string };
  readonly Handler: string;
}

const root = mkdtempSync(path.join(tmpdir(), 'evalgate-synth-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a command without network, where the machine allows it. */
const OFFLINE = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];
const CDK = path.resolve('node_modules/aws-cdk/bin/cdk');

interface Synthesis {
  readonly code: number | null;
  readonly output: string;
  readonly folder: string;
  readonly left: readonly string[];
}

/** `cdk synth -c env=<name>` without credentials, configuration and network. */
function synth(name: string): Promise<Synthesis> {
  const [folder, home, temporary] = ['out', 'home', 'tmp'].map((part) => path.join(root, name, part)) as [
    string,
    string,
    string,
  ];
  for (const made of [home, temporary]) mkdirSync(made, { recursive: true });
  const cdk = [process.execPath, CDK, 'synth', '-q', '-c', `env=${name}`, '--output', folder];
  const [command = '', ...args] = [...OFFLINE, ...cdk];
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const child = spawn(command, args, { env: { PATH, HOME: home, TMPDIR: temporary } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, folder, left: readdirSync(temporary) }));
  });
}

const [FIRST = ''] = ENVIRONMENTS;
const made = new Map<string, Synthesis>();
beforeAll(async () => {
  const each = await Promise.all(ENVIRONMENTS.map(synth));
  for (const [index, name] of ENVIRONMENTS.entries()) made.set(name, each[index] as Synthesis);
});

const madeAs = (name: string): Synthesis => made.get(name) as Synthesis;
const textOf = (name: string, file: string): string =>
  readFileSync(path.join(madeAs(name).folder, file), 'utf8');
const filesOf = (name: string, ending: string): readonly string[] =>
  readdirSync(madeAs(name).folder).filter((file) => file.endsWith(ending));

describe.each(ENVIRONMENTS)('cdk synth -c env=%s', (name) => {
  test('succeeds without credentials and network, and leaves nothing behind', () => {
    const { code, output, left } = madeAs(name);
    expect([code, output]).toEqual([0, expect.not.stringMatching(/error/i)]);
    expect(left).toEqual([]);
  });

  test('makes eleven stacks, each far below CloudFormation’s limits', () => {
    const templates = filesOf(name, '.template.json');
    expect(templates).toHaveLength(STACKS);
    for (const file of templates) {
      const text = textOf(name, file);
      expect(text.length).toBeLessThan(TEMPLATE_BYTES_MAX);
      const { Resources }: Template = JSON.parse(text);
      expect(Object.keys(Resources).length).toBeLessThan(RESOURCES_MAX);
    }
  });

  test('writes no secret and no placeholder into a template', () => {
    for (const file of filesOf(name, '.template.json')) {
      const text = textOf(name, file);
      expect(text).not.toMatch(/\b(AKIA|ASIA)[A-Z0-9]{16}|[sr]k_(live|test)_|whsec_|\begk_|-----BEGIN/);
      expect(text).not.toMatch(/TODO|FIXME|CHANGE.?ME|example\.(com|org)|\b(123456789012|111122223333)\b/i);
      expect(text).not.toMatch(/\$\{Token\[|\[object |undefined|NaN/);
    }
  });

  test('brings every function’s handler along with its template', () => {
    let functions = 0;
    for (const file of filesOf(name, '.template.json')) {
      const assets = JSON.parse(textOf(name, file.replace('.template.', '.assets.'))).files;
      const { Resources }: Template = JSON.parse(textOf(name, file));
      for (const [id, { Type, Properties }] of Object.entries(Resources)) {
        if (Type !== 'AWS::Lambda::Function' || id.startsWith('Custom')) continue;
        functions += 1;
        const { source } = assets[Properties.Code.S3Key.replace('.zip', '')];
        const handler = Properties.Handler.replace(/\.handler$/, '.mjs');
        expect(readdirSync(path.join(madeAs(name).folder, source.path))).toContain(handler);
      }
    }
    expect(functions).toBeGreaterThan(50);
  });
});

const withoutMetadata = ({
  Resources,
  ...template
}: {
  readonly Resources: Readonly<Record<string, object>>;
}) => ({
  ...template,
  Resources: Object.fromEntries(
    Object.entries(Resources).map(([id, resource]) => [id, { ...resource, Metadata: undefined }]),
  ),
});

test('the same sources give the same templates and bundles: nothing is deployed that has not changed', async () => {
  const again = await assemble(environmentOf(FIRST));
  try {
    expect(again.stacks).toHaveLength(STACKS);
    for (const { name, template } of again.stacks) {
      // A template names bundles by the hashes of their bytes; only the CLI notes the folders that they came from.
      const made: Template = JSON.parse(textOf(FIRST, `${name}.template.json`));
      expect(withoutMetadata(made)).toEqual(withoutMetadata(template));
    }
  } finally {
    again.remove();
  }
});
