import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../../support/soak.ts';
import { json, useHostile } from '../sdk/hostile.ts';
import { usePlace } from './cli.ts';
import { inThisProcess } from './inProcess.ts';

const [stranger, place] = [useHostile(), usePlace()];

const said = (args: readonly string[]) =>
  inThisProcess(['--no-color', ...args], {
    cwd: place.folder,
    env: {
      EVALGATE_URL: stranger.url,
      EVALGATE_API_KEY: `eg_${'a'.repeat(43)}`,
      EVALGATE_RETRIES: '0',
      EVALGATE_PROJECT: 'bot',
    },
  });

const COMMANDS = [
  ['wait', 'run_1', '--wait', '0s'],
  ['results', 'run_1'],
  ['run', 'returns', '--output', 'good.txt', '--wait', '0s'],
  ['runs', 'returns'],
  ['runs'],
  ['trends', 'returns'],
  ['regressions', 'returns'],
  ['history', 'returns'],
  ['history', 'returns', '--diff', 'a'.repeat(64)],
];

/** An answer that is nearly right, or anything. */
const field = fc.oneof(fc.jsonValue(), fc.constantFrom('cleared', 'aborted', 0, 0.5, 'run_1', true));
const nearly = fc.dictionary(
  fc.constantFrom(
    'id',
    'slug',
    'status',
    'inconclusive',
    'pass_rate',
    'failed_cases',
    'verdict',
    'failures',
    'suite',
    'advisory_failed_cases',
    'case_name',
    'score',
    'threshold',
    'reason',
    'passed',
    'date',
    'total_runs',
  ),
  field.filter((value) => value !== 'pending'),
);
const forms = fc.oneof(fc.jsonValue(), nearly, fc.array(nearly, { maxLength: 3 }));

test('an answer of another form is reported as such, with what to do, and not as a fault of this program', async () => {
  await fc.assert(
    fc.asyncProperty(forms, forms, fc.constantFrom(...COMMANDS), async (data, body, command) => {
      const isRun = command[0] === 'run';
      stranger.answers(json(200, isRun ? Object(body) : { data }), json(200, { data }));
      const { code, stderr } = await said(command);
      expect(stderr).not.toMatch(/Something unexpected|fault of evalgate|^\s+at /m);
      expect([0, 1, 2, 3]).toContain(code);
      if (code >= 2) expect(stderr).not.toBe('');
    }),
    { numRuns: sized(150, 600) },
  );
});

test('the sentence names the request, and what was not as it should be', async () => {
  stranger.answers(json(200, { data: null }));
  for (const command of COMMANDS.filter(([name]) => name !== 'run' && name !== 'wait')) {
    const { code, stderr } = await said(command);
    expect({ command, code, stderr }).toMatchObject({ code: 3 });
    expect(stderr).toMatch(
      /^evalgate: The answer to GET http:\/\/127\.0\.0\.1:\d+\/v1\/\S+ is not of the form/m,
    );
    expect(stderr).toContain('Find out: evalgate doctor');
  }
});

const VERDICT = ['id', 'status', 'pass_rate'] as const;
const whole = { id: 'run_1', status: 'cleared', pass_rate: 1, failed_cases: 0, failures: [] };
const gates = COMMANDS.filter(([name]) => name === 'run' || name === 'wait');

test('an answer without one of the fields of a verdict is no verdict, whatever else it has', async () => {
  for (const command of gates) {
    for (const name of VERDICT) {
      const { [name]: _, ...partial } = whole;
      stranger.answers(json(200, command[0] === 'run' ? partial : { data: partial }));
      const { code, stderr } = await said(command);
      expect({ command, name, code }).toEqual({ command, name, code: 2 });
      expect(stderr).toContain(`not from evalgate: no ${name}`);
      expect(stderr).toContain(`Is ${stranger.url} the URL of an evalgate service?`);
    }
  }
});
