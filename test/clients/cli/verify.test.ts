import { sign } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keysIn } from '../../../clients/cli/commands/verify/keys.ts';
import { readStatement } from '../../../clients/cli/commands/verify/statement.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { sized } from '../../support/soak.ts';
import { type StatementKey, statementKeyFiles } from '../../support/statementKeys.ts';
import { ownTime } from '../sdk/hostile.ts';
import { aGate, aPlace, type Gated, type Place } from './cli.ts';

const { folder, keys } = statementKeyFiles(2);
const [key, stranger] = keys as [StatementKey, StatementKey];
const ORGANISATION = '5f1c9a86-3b7d-4c21-9e0f-6a2b8d4c7e13';
const COMMIT = '8f2c1aa0b401fdce83e847fc9589983fc6f46bc1';
const OUTPUTS = 'a'.repeat(64);
const BAR = 'b'.repeat(64);
const NOW = Date.parse('2026-11-29T12:00:00.000Z');

// biome-ignore lint/suspicious/noExplicitAny: each test changes another part of it
type Json = any;

const statement = (): Json => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: [
    { name: 'outputs', digest: { sha256: OUTPUTS } },
    { name: 'git+https://github.com/octo/bot', digest: { gitCommit: COMMIT } },
  ],
  predicateType: 'https://in-toto.io/attestation/svr/v0.2',
  predicate: {
    verifier: {
      id: `urn:evalgate:prod/organisations/${ORGANISATION}`,
      policies: [{ name: 'support-bot/returns', uri: 'urn:evalgate:suite:1', digest: { sha256: BAR } }],
    },
    timeCreated: '2026-11-28T12:00:10.000Z',
    properties: ['EVALGATE_CLEARED'],
    evalgate: {
      runId: 'run_3kT',
      receivedAt: '2026-11-28T12:00:00.000Z',
      barInForceSince: '2026-11-26T12:00:00.000Z',
      job: {
        repository: 'octo/bot',
        ref: 'refs/heads/main',
        workflow: '.github/workflows/gate.yml',
        jobWorkflowRef: 'octo/central/.github/workflows/gate.yml@refs/heads/main',
      },
    },
  },
});

const TYPE = 'application/vnd.in-toto+json';

function bundled(payload: string, by: StatementKey = key, payloadType = TYPE): Json {
  const body = Buffer.from(payload);
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `),
    body,
  ]);
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: by.kid }, tlogEntries: [] },
    dsseEnvelope: {
      payloadType,
      payload: body.toString('base64'),
      signatures: [{ keyid: by.kid, sig: sign('sha256', signed, by.privateKey).toString('base64') }],
    },
  };
}

const KEY_SET = JSON.stringify({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'anything' }] });
let place: Place;
beforeEach(() => {
  place = aPlace({});
  place.file('keys.json', KEY_SET);
});
afterEach(() => place.remove());
afterAll(() => rmSync(folder, { recursive: true }));

const CLOCK = { ...ownTime().environment, now: () => NOW };
const REQUIRED = [
  '--keys',
  'keys.json',
  '--organisation',
  ORGANISATION,
  '--project',
  'support-bot',
  '--suite',
  'returns',
];

async function verified(bundle: unknown, ...options: readonly string[]) {
  place.file('statement.json', typeof bundle === 'string' ? bundle : JSON.stringify(bundle));
  return place.cli(['verify', 'statement.json', ...REQUIRED, ...options], { clock: CLOCK });
}

const good = () => bundled(JSON.stringify(statement()));

test('a statement that is authentic, and of which every condition holds, is 0; the predicate can be kept', async () => {
  const ofJob = ['--commit', COMMIT, '--repository', 'octo/bot', '--ref', 'refs/heads/main'];
  const ofBar = ['--bar', `sha256:${BAR}`, '--bar-stood', '48h', '--max-age', '1d'];
  const others = ['--workflow', 'gate.yml', '--predicate', 'svr.json'];
  const { code, stdout, stderr } = await verified(good(), ...ofJob, ...ofBar, ...others);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain(`support-bot/returns cleared the outputs sha256:${OUTPUTS} (run_3kT)`);
  expect(stderr).toContain('Not proven: that the outputs are those of the candidate');
  const kept = JSON.parse(readFileSync(path.join(place.folder, 'svr.json'), 'utf8'));
  expect(kept).toEqual(statement().predicate);
});

test('the keys may be PEM, of which one signed, and the workflow the whole reference of a reusable one', async () => {
  place.file('keys.json', `${stranger.pem}${key.pem}`);
  const { jobWorkflowRef } = statement().predicate.evalgate.job;
  expect(await verified(good(), '--workflow', jobWorkflowRef)).toMatchObject({ code: 0 });
});

test.each([
  ['--organisation', ['--organisation', '00000000-0000-4000-8000-000000000000']],
  ['--project and --suite', ['--suite', 'tone']],
  ['--project and --suite', ['--project', 'search']],
  ['--commit', ['--commit', 'f'.repeat(40)]],
  ['--repository', ['--repository', 'octo/other']],
  ['--ref', ['--ref', 'refs/heads/dev']],
  ['--workflow', ['--workflow', 'other.yml']],
  ['--workflow', ['--workflow', 'octo/central/.github/workflows/gate.yml@refs/heads/dev']],
  ['--bar', ['--bar', `sha256:${'c'.repeat(64)}`]],
  ['--bar-stood', ['--bar-stood', '49h']],
  ['--max-age', ['--max-age', '23h']],
])('%s that does not hold is 1, and is named alone', async (option, given) => {
  const others = REQUIRED.map((word, index) =>
    given.includes(REQUIRED[index - 1] ?? '') ? undefined : word,
  );
  const words = others.filter((word): word is string => word !== undefined && !given.includes(word));
  place.file('statement.json', JSON.stringify(good()));
  const predicate = ['--predicate', 'svr.json'];
  const { code, stderr } = await place.cli(['verify', 'statement.json', ...words, ...given, ...predicate], {
    clock: CLOCK,
  });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^evalgate: ${option} .+: the statement has .+\n$`)),
  });
  expect(() => readFileSync(path.join(place.folder, 'svr.json'))).toThrow();
});

test('a statement of a run with a key has no commit, ref, repository and workflow to hold', async () => {
  const plain = statement();
  plain.subject.pop();
  delete plain.predicate.evalgate.job;
  const bundle = bundled(JSON.stringify(plain));
  expect(await verified(bundle)).toMatchObject({ code: 0 });
  for (const [option, value] of [
    ['--commit', COMMIT],
    ['--ref', 'none'],
    ['--repository', 'none'],
    ['--workflow', 'none'],
  ] as const)
    expect(await verified(bundle, option, value)).toMatchObject({ code: 1 });
});

test.each([
  ['whose event does not prove a commit', ({ subject }: Json) => subject.pop()],
  [
    'of another system, which names itself like the repository',
    ({ predicate, subject }: Json) => {
      predicate.evalgate.job = { ...predicate.evalgate.job, provider: 'gitlab' };
      subject[1].name = 'git+https://gitlab.example/projects/20';
    },
  ],
])('a job %s holds no condition on repository, ref and workflow', async (_, change) => {
  const bundle = changed(change);
  expect(await verified(bundle)).toMatchObject({ code: 0 });
  for (const condition of [
    ['--repository', 'octo/bot'],
    ['--ref', 'refs/heads/main'],
    ['--workflow', 'gate.yml'],
  ])
    expect(await verified(bundle, ...condition)).toMatchObject({ code: 1 });
});

test('the address of a repository binds the ref of a job of any system', async () => {
  const ofGitlab = changed(({ predicate, subject }) => {
    predicate.evalgate.job = { provider: 'gitlab', ref: 'refs/heads/main' };
    subject[1].name = 'git+https://gitlab.example/projects/20';
  });
  const ref = ['--ref', 'refs/heads/main'];
  const bound = ['--repository', 'https://gitlab.example/projects/20', ...ref];
  expect(await verified(ofGitlab, ...bound, '--commit', COMMIT)).toMatchObject({ code: 0 });
  expect(await verified(good(), ...bound)).toMatchObject({ code: 1 });
  expect(await verified(good(), '--repository', 'https://github.com/octo/bot', ...ref)).toMatchObject({
    code: 0,
  });
});

test('--organisation takes the whole verifier, which a copy of the service with the same keys has not', async () => {
  place.file('statement.json', JSON.stringify(good()));
  const [, , , , ...others] = REQUIRED;
  const verifiedBy = (verifier: string) =>
    place.cli(['verify', 'statement.json', '--keys', 'keys.json', '--organisation', verifier, ...others]);
  expect(await verifiedBy(`urn:evalgate:prod/organisations/${ORGANISATION}`)).toMatchObject({ code: 0 });
  expect(await verifiedBy(`urn:evalgate:staging/organisations/${ORGANISATION}`)).toMatchObject({ code: 1 });
});

test('a predicate of an earlier call is gone where a condition does not hold', async () => {
  place.file('svr.json', '{}');
  expect(await verified(good(), '--ref', 'refs/heads/dev', '--predicate', 'svr.json')).toMatchObject({
    code: 1,
  });
  expect(() => readFileSync(path.join(place.folder, 'svr.json'))).toThrow();
});

test('a statement from a clock that is far ahead is older than nothing', async () => {
  const ahead = statement();
  ahead.predicate.timeCreated = '2026-11-29T12:06:00.000Z';
  expect(await verified(bundled(JSON.stringify(ahead)), '--max-age', '1d')).toMatchObject({ code: 1 });
});

const changed = (change: (payload: Json) => unknown) => {
  const payload = statement();
  change(payload);
  return bundled(JSON.stringify(payload));
};
const enveloped = (change: (bundle: Json) => unknown) => {
  const bundle = good();
  change(bundle);
  return bundle;
};

test.each<[string, () => unknown]>([
  ['by another key', () => bundled(JSON.stringify(statement()), stranger)],
  [
    'by another key that names ours',
    () => {
      const bundle = bundled(JSON.stringify(statement()), stranger);
      bundle.dsseEnvelope.signatures[0].keyid = key.kid;
      return bundle;
    },
  ],
  [
    'of no signature',
    () =>
      enveloped(({ dsseEnvelope }) => {
        dsseEnvelope.signatures = [];
      }),
  ],
  [
    'of another media type',
    () =>
      enveloped((bundle) => {
        bundle.mediaType = 'application/json';
      }),
  ],
  ['of another payload type', () => bundled(JSON.stringify(statement()), key, 'application/json')],
  [
    'of base64 with a line break',
    () =>
      enveloped(({ dsseEnvelope }) => {
        dsseEnvelope.payload += '\n';
      }),
  ],
  [
    'of a signature with a blank in its base64',
    () =>
      enveloped(({ dsseEnvelope }) => {
        dsseEnvelope.signatures[0].sig = ` ${dsseEnvelope.signatures[0].sig}`;
      }),
  ],
  [
    'of another type of statement',
    () =>
      changed((payload) => {
        payload._type = 'https://in-toto.io/Statement/v0.1';
      }),
  ],
  [
    'of another predicate',
    () =>
      changed((payload) => {
        payload.predicateType = 'https://slsa.dev/provenance/v1';
      }),
  ],
  [
    'of a run that was not cleared',
    () =>
      changed(({ predicate }) => {
        predicate.properties = ['EVALGATE_ABORTED'];
      }),
  ],
  [
    'without properties',
    () =>
      changed(({ predicate }) => {
        delete predicate.properties;
      }),
  ],
  [
    'of two policies',
    () =>
      changed(({ predicate }) => {
        predicate.verifier.policies.push(predicate.verifier.policies[0]);
      }),
  ],
  [
    'without outputs',
    () =>
      changed((payload) => {
        payload.subject.shift();
      }),
  ],
  [
    'without a time',
    () =>
      changed(({ predicate }) => {
        predicate.timeCreated = 'yesterday';
      }),
  ],
  [
    'with a name twice',
    () => bundled(JSON.stringify(statement()).replace('"_type"', '"predicateType":"x","_type"')),
  ],
  ['that is a list', () => bundled('[]')],
  ['that is no JSON', () => '{"mediaType": '],
  ['that is empty', () => ''],
])('a statement %s is 2, and nothing of it is believed', async (_, make) => {
  const { code, stdout } = await verified(make(), '--json');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('one signature of several may be by a key that is trusted', async () => {
  const foreign = bundled(JSON.stringify(statement()), stranger).dsseEnvelope.signatures[0];
  expect(
    await verified(enveloped(({ dsseEnvelope }) => dsseEnvelope.signatures.unshift(foreign))),
  ).toMatchObject({ code: 0 });
});

test.each([
  ['without --keys', ['--organisation', ORGANISATION, '--project', 'a', '--suite', 'b'], '--keys is missing'],
  [
    'without --organisation',
    ['--keys', 'keys.json', '--project', 'a', '--suite', 'b'],
    '--organisation is missing',
  ],
  [
    'without --project',
    ['--keys', 'keys.json', '--organisation', ORGANISATION, '--suite', 'b'],
    '--project is missing',
  ],
  [
    'without --suite',
    ['--keys', 'keys.json', '--organisation', ORGANISATION, '--project', 'a'],
    '--suite is missing',
  ],
  ['with a short commit', [...REQUIRED, '--commit', COMMIT.slice(0, 12)], 'is not a commit in full'],
  ['with an empty ref', [...REQUIRED, '--ref', ''], '--ref is empty'],
  ['with a bar that is no digest', [...REQUIRED, '--bar', BAR], 'is not the digest of a bar'],
  ['with a wrong duration', [...REQUIRED, '--max-age', 'a month'], 'is no duration'],
  ['with a wrong time of the bar', [...REQUIRED, '--bar-stood', '-1h'], 'is no duration'],
])('a command line %s is 2', async (_, words, sentence) => {
  place.file('statement.json', JSON.stringify(good()));
  place.file('evalgate.yaml', 'project: support-bot\n');
  const ended = await place.cli(['verify', 'statement.json', ...words], {
    clock: CLOCK,
    env: { EVALGATE_PROJECT: 'a' },
  });
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
});

test.each([
  ['nothing', ''],
  ['a private key', 'pem'],
  ['a private key of a set', JSON.stringify({ keys: [key.privateKey.export({ format: 'jwk' })] })],
  ['a key of another kind', JSON.stringify({ keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] })],
  ['keys that are no list', '{"keys": {}}'],
])('a file of keys with %s is 2', async (_, text) => {
  const pem = String(key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  place.file('keys.json', text === 'pem' ? pem : text);
  expect(await verified(good())).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('keys.json is no file of keys'),
  });
});

test('any one changed byte of a statement is refused, or decodes to the same bytes', () => {
  const trusted = keysIn('keys.json', KEY_SET);
  const bundle = good();
  const { payload, payloadType, signatures } = bundle.dsseEnvelope;
  const parts = [payload, payloadType, signatures[0].sig] as const;
  const before = readStatement(JSON.stringify(bundle), trusted);
  fc.assert(
    fc.property(fc.nat(2), fc.nat(), fc.integer({ min: 1, max: 255 }), (part, place, mask) => {
      const bytes = Buffer.from(parts[part] as string, 'latin1');
      const index = place % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ mask;
      const changedParts = parts.map((text, nth) => (nth === part ? bytes.toString('latin1') : text));
      const other = structuredClone(bundle);
      Object.assign(other.dsseEnvelope, { payload: changedParts[0], payloadType: changedParts[1] });
      other.dsseEnvelope.signatures[0].sig = changedParts[2];
      let after: unknown;
      try {
        after = readStatement(JSON.stringify(other), trusted);
      } catch (error) {
        expect((error as Error).name).toBe('Problem');
        return;
      }
      expect(after).toEqual(before);
    }),
    { numRuns: sized(1_000, 100_000) },
  );
});

test('a statement that the service gave is verified with the keys that it publishes, by the commands of the docs', async () => {
  const service: OwnService = await startOwnService({ STATEMENT_KEY_FILES: key.file });
  try {
    const gated: Gated = await aGate(service.baseUrl);
    const { id } = await gated.gate.runs.create({ suite: 'returns', output: 'within 30 days' });
    place.env.EVALGATE_URL = service.baseUrl;
    place.env.EVALGATE_API_KEY = gated.apiKey;
    expect(await place.cli(['statement', id, '--out', 'statement.json'])).toMatchObject({
      code: 0,
      stdout: '',
    });
    const published = await fetch(`${service.baseUrl}/.well-known/statement-keys.json`);
    place.file('published.json', await published.text());
    const words = [
      '--keys',
      'published.json',
      '--organisation',
      gated.orgId,
      '--project',
      'bot',
      '--suite',
      'returns',
    ];
    const offline = { EVALGATE_URL: 'http://127.0.0.1:9', EVALGATE_API_KEY: '' };
    expect(await place.cli(['verify', 'statement.json', ...words], { env: offline })).toMatchObject({
      code: 0,
    });
    const { stdout } = await place.cli(['statement', id]);
    expect(JSON.parse(stdout).dsseEnvelope.payload).toBe(
      JSON.parse(readFileSync(path.join(place.folder, 'statement.json'), 'utf8')).dsseEnvelope.payload,
    );
    const { id: aborted } = await gated.gate.runs.create({ suite: 'returns', output: 'never' });
    expect(await place.cli(['statement', aborted])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Only a run that was cleared'),
    });
  } finally {
    await service.stop();
  }
});
