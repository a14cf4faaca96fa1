import type { SQSRecord } from 'aws-lambda';
import type { CountedQueue } from '../../shared/domain/messages.ts';
import { writeMessage } from '../../shared/queue/messages.ts';
import { type Faults, InjectedFault, type Process } from './processes.ts';
import type { Simulation } from './simulation.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  visibleAtMs: number;
  receives: number;
}

export interface QueueSettings {
  readonly name: string;
  readonly visibilityMs: number;
  readonly batchMax: number;
  readonly batchesAtOnce: number;
  /** Where messages go that were received more often than this. */
  readonly deadLetters?: { readonly queue: SimulatedQueue; readonly receivesMax: number };
  /** What failed comes back so much later; when its visibility ends, unless given. */
  readonly retryMs?: number;
}

/** Answers the ids of the messages that failed, or undefined when the function died. */
export type Consume = (records: readonly SQSRecord[]) => Promise<readonly string[] | undefined>;

const SEND_BATCH = 10;
const LATE_MS_MAX = 60_000;

/** A standard queue and its event source: at least once, in any order, and never before its time. */
export class SimulatedQueue {
  readonly #sim: Simulation;
  readonly #settings: QueueSettings;
  readonly #faults: () => Faults;
  readonly #messages = new Map<string, Message>();
  readonly bodies: string[] = [];
  consume: Consume = async () => [];
  /** Takes messages and forgets them. */
  loses = false;
  /** Takes messages and delivers none. */
  #stands = false;
  #batches = 0;
  #count = 0;

  constructor(sim: Simulation, settings: QueueSettings, faults: () => Faults) {
    this.#sim = sim;
    this.#settings = settings;
    this.#faults = faults;
  }

  get size(): number {
    return this.#messages.size;
  }

  /** An outage, counted from now. */
  loseBetween(fromMs: number, untilMs: number): void {
    const lose = (loses: boolean) => () => {
      this.loses = loses;
    };
    this.#sim.after(fromMs, `${this.#settings.name} loses messages`, lose(true));
    this.#sim.after(untilMs, `${this.#settings.name} keeps messages`, lose(false));
  }

  /** No receive succeeds, counted from now. */
  standBetween(fromMs: number, untilMs: number): void {
    this.#sim.after(fromMs, `${this.#settings.name} stands`, () => {
      this.#stands = true;
    });
    this.#sim.after(untilMs, `${this.#settings.name} goes on`, () => {
      this.#stands = false;
      this.#poll();
    });
  }

  /** As one process sends to it. */
  sender(process: Process): CountedQueue {
    const { random } = this.#sim;
    return {
      send: async (messages, delaySeconds = 0) => {
        for (let start = 0; start < messages.length; start += SEND_BATCH) {
          const batch = messages.slice(start, start + SEND_BATCH).map(writeMessage);
          await process.effect(`send ${this.#settings.name} ${batch.length}`, async () => {
            const fails = random.chance(this.#faults().queue);
            const taken = fails ? random.int(0, batch.length) : batch.length;
            for (const body of batch.slice(0, taken)) this.put(body, delaySeconds * 1_000);
            if (fails) throw new InjectedFault(`the queue took ${taken} of ${batch.length}`);
          });
        }
      },
      isEmpty: () =>
        process.effect(`count ${this.#settings.name}`, async () => {
          const now = this.#sim.now();
          return ![...this.#messages.values()].some(({ visibleAtMs }) => visibleAtMs <= now);
        }),
    };
  }

  put(body: string, delayMs: number): void {
    this.bodies.push(body);
    if (this.loses) return;
    const { random } = this.#sim;
    const lateMs = random.chance(this.#faults().queue) ? random.int(0, LATE_MS_MAX) : random.int(5, 300);
    const id = `${this.#settings.name}-${++this.#count}`;
    this.#messages.set(id, {
      id,
      body,
      visibleAtMs: this.#sim.now() + delayMs + lateMs,
      receives: 0,
    });
    this.#pollAfter(delayMs + lateMs);
  }

  #pollAfter(delayMs: number): void {
    this.#sim.after(delayMs, `poll ${this.#settings.name}`, () => this.#poll());
  }

  #poll(): void {
    if (this.#stands) return;
    const { batchesAtOnce, batchMax, visibilityMs } = this.#settings;
    const { random } = this.#sim;
    const now = this.#sim.now();
    const visible = [...this.#messages.values()].filter(({ visibleAtMs }) => visibleAtMs <= now);
    const waiting = random.shuffle(visible);
    while (waiting.length > 0 && this.#batches < batchesAtOnce) {
      const batch = waiting.splice(0, random.int(1, batchMax));
      const received = batch.filter((message) => this.#receive(message));
      for (const message of received) {
        message.visibleAtMs = now + visibilityMs;
        this.#pollAfter(visibilityMs);
        // Delivered to a second consumer, now or later, whatever becomes of this delivery.
        if (random.chance(this.#faults().queue)) this.#duplicate(message);
      }
      if (received.length > 0) void this.#deliver(received);
    }
  }

  #duplicate(message: Message): void {
    const { random } = this.#sim;
    const delayMs = random.chance(0.5) ? random.int(0, 200) : random.int(0, 2 * LATE_MS_MAX);
    const id = `${message.id}-again${++this.#count}`;
    this.#messages.set(id, { ...message, id, visibleAtMs: this.#sim.now() + delayMs });
    this.#pollAfter(delayMs);
  }

  /** False for a message that was received too often and moves on. */
  #receive(message: Message): boolean {
    const { deadLetters } = this.#settings;
    message.receives++;
    if (deadLetters === undefined || message.receives <= deadLetters.receivesMax) return true;
    this.#messages.delete(message.id);
    this.#sim.note(`dead letter ${message.body}`);
    deadLetters.queue.put(message.body, 0);
    return false;
  }

  async #deliver(batch: readonly Message[]): Promise<void> {
    const { random } = this.#sim;
    this.#batches++;
    const records = batch.map((message) => recordOf(message));
    const failed = await this.consume(records);
    this.#batches--;
    if (failed !== undefined) {
      for (const message of batch) {
        if (failed.includes(message.id)) this.#failed(message);
        // A message whose end could not be reported to the queue comes back.
        else if (!random.chance(this.#faults().queue)) this.#messages.delete(message.id);
      }
    }
    this.#pollAfter(0);
  }

  #failed(message: Message): void {
    const { retryMs } = this.#settings;
    if (retryMs === undefined) return;
    message.visibleAtMs = this.#sim.now() + retryMs;
    this.#pollAfter(retryMs);
  }
}

function recordOf({ id, body, receives }: Message): SQSRecord {
  return {
    messageId: id,
    receiptHandle: `${id}/${receives}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receives),
      SentTimestamp: '0',
      SenderId: 'simulated',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:local:000000000000:evaluations',
    awsRegion: 'local',
  };
}
