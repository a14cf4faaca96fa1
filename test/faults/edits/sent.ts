import type { Random } from '../random.ts';
import type { Bar, BarCase } from './bar.ts';
import { drawTrace, type SentTrace } from './traces.ts';

export interface SentItem {
  readonly case: string;
  readonly output?: string;
  readonly error?: string;
  readonly trace?: SentTrace;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a client asks a verdict on. */
export interface Sent {
  readonly output?: string;
  readonly outputs?: readonly SentItem[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly suite_digest?: string;
}

export interface ToSend {
  /** The first word of every output: it identifies judge calls. */
  readonly label: string;
  /** As the client knows the suite. */
  readonly bar: Bar;
  readonly digest: string;
  /** The scorer whose cases are decided by traces. */
  readonly traced: string;
  /** Whether there may be errors in place of outputs, and wrong digests. */
  readonly mayFail: boolean;
}

const LARGE_SUITE = 400;
/** Three of them are more than a block of outputs holds. */
const BULKY_CHARACTERS = 400_000;
const UNKNOWN = ['zzz', 'No such case', '00000000-0000-4000-8000-000000000000'];
const WRONG_DIGEST = `sha256:${'0'.repeat(64)}`;

/** One output for all cases, or outputs of their own, some of which are missing, surplus or errors. */
export function drawSent(random: Random, { digest, ...toSend }: ToSend): Sent {
  const { label, bar, mayFail, traced } = toSend;
  const isSampled = bar.cases.some(({ sampleCount }) => sampleCount > 1);
  const isAsserted = random.chance(0.3);
  const isWrong = mayFail && random.chance(0.03);
  const common = {
    ...(random.chance(0.3) && { input: { asked: label } }),
    ...(isAsserted && { suite_digest: isWrong ? WRONG_DIGEST : digest }),
  };
  const isTraced = bar.cases.some(({ scorerId }) => scorerId === traced);
  if (!isSampled && !isTraced && random.chance(0.5)) return { ...common, output: `${label} ok` };
  const outputs = drawItems(random, toSend);
  return outputs.length === 0 ? { ...common, output: `${label} ok` } : { ...common, outputs };
}

function drawItems(random: Random, { label, bar, mayFail, traced }: Omit<ToSend, 'digest'>): SentItem[] {
  const lacking = random.pick([0, 0, 0.05, 0.3]);
  const errors = mayFail ? random.pick([0, 0, 0.1, 0.3]) : 0;
  const poor = random.pick([0, 0.1, 0.4]);
  const items = bar.cases.flatMap((one) =>
    Array.from({ length: one.sampleCount }, (_, sample) => ({ one, sample })).flatMap(({ one, sample }) => {
      if (random.chance(lacking)) return [];
      const said = random.chance(errors)
        ? { error: `${label} got a 429` }
        : { output: `${label} ${random.chance(poor) ? 'poor' : 'ok'} s${sample}` };
      const isTraced = one.scorerId === traced && random.chance(0.9);
      const trace = isTraced && { trace: drawTrace(random, `${label} ${one.key} s${sample}`) };
      return [drawItem(random, one, { ...said, ...trace })];
    }),
  );
  const surplus = random.pick([0, 0, 1, 3]);
  for (let item = 0; item < surplus; item++) {
    items.push({ case: random.pick(UNKNOWN), output: `${label} surplus` });
  }
  if (bar.cases.length > LARGE_SUITE && random.chance(0.1)) makeBulky(random, items);
  return random.chance(0.5) ? random.shuffle(items) : items;
}

function drawItem(random: Random, { id, key }: BarCase, said: Omit<SentItem, 'case'>): SentItem {
  return {
    case: random.chance(0.5) ? key : random.pick([id, id.toUpperCase()]),
    ...said,
    ...(random.chance(0.1) && { input: { asked: key } }),
    ...(random.chance(0.1) && { metadata: { latency_ms: 5 } }),
  };
}

function makeBulky(random: Random, items: SentItem[]): void {
  for (let item = 0; item < 3; item++) {
    const at = random.int(0, items.length - 1);
    const { output, ...others } = items[at] ?? { case: '' };
    if (output !== undefined && output.length < BULKY_CHARACTERS) {
      items[at] = { ...others, output: output.padEnd(BULKY_CHARACTERS, '.') };
    }
  }
}
