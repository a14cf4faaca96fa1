import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { caseInputStore } from '../../../../shared/storage/suites/caseInputs.ts';
import { loadSuite } from '../../../../shared/storage/suites/suiteToRun.ts';
import { fillSuite } from '../../../functions/runs/filled.ts';
import { type Gate, makeGate } from '../../../functions/runs/gate.ts';
import { type OwnService, startOwnService } from '../../../support/ownService.ts';

const CASES = 200;
const CHARACTERS = 100_000;
/** Of 20 MB of inputs. */
const HELD_BYTES_MAX = 5_000_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

let service: OwnService;
let gate: Gate;
let ids: string[];
beforeAll(async () => {
  service = await startOwnService();
  gate = await makeGate(service.baseUrl);
  const { scorer_id } = await gate.add({}, { is_active: false });
  ids = await fillSuite(service.table, gate, CASES, (index) => ({
    ...{ name: `Case ${index}`, scorer_id, expected: null, input: { text: 'x'.repeat(CHARACTERS) } },
  }));
});
afterAll(() => service.stop());

const BEGINNING = `{"text":"${'x'.repeat(1_992)}`;

test('a suite that was loaded holds the beginnings of its inputs, and not the rest of them', async () => {
  const before = heapUsed();
  const suite = await loadSuite(service.table, gate.project.org_id, gate.suite.id);
  const held = heapUsed() - before;
  const texts = suite?.cases.map(({ inputText }) => inputText) ?? [];
  expect(new Set(texts)).toEqual(new Set([BEGINNING]));
  expect([texts.length, held < HELD_BYTES_MAX || held]).toEqual([CASES, true]);
});

test('of inputs that are read for excerpts only the beginnings are held', async () => {
  const before = heapUsed();
  const read = await caseInputStore(service.table).inputs(
    gate.project.org_id,
    gate.suite.id,
    ids,
    new Date().toISOString(),
  );
  const held = heapUsed() - before;
  expect(new Set(read.values())).toEqual(new Set([BEGINNING]));
  expect([read.size, held < HELD_BYTES_MAX || held]).toEqual([CASES, true]);
});
