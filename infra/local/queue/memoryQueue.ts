import { createHash, randomUUID } from 'node:crypto';

export interface QueueAttributes {
  readonly visibilityTimeoutSeconds: number;
  /** Where a message goes that was received so often without being deleted. */
  readonly redrive?: { readonly deadLetters: MemoryQueue; readonly receivesMax: number } | undefined;
}

export interface StoredMessage {
  readonly id: string;
  readonly body: string;
  readonly md5: string;
  readonly sentAtMs: number;
  firstReceivedAtMs: number;
  receives: number;
}

interface HiddenMessage {
  readonly message: StoredMessage;
  readonly timer: NodeJS.Timeout;
}

const md5Of = (text: string): string => createHash('md5').update(text).digest('hex');

/** One standard queue of SQS, in memory: at least once, in no promised order. */
export class MemoryQueue {
  readonly #attributes: QueueAttributes;
  readonly #ready = new Set<StoredMessage>();
  readonly #delayed = new Set<NodeJS.Timeout>();
  /** Received and not deleted, by the handle of the last receipt. */
  readonly #inFlight = new Map<string, HiddenMessage>();
  readonly #waiting = new Set<() => void>();

  constructor(attributes: QueueAttributes) {
    this.#attributes = attributes;
  }

  counts() {
    const now = Date.now();
    let oldestMs = now;
    for (const { sentAtMs } of this.#ready) oldestMs = Math.min(oldestMs, sentAtMs);
    for (const { message } of this.#inFlight.values()) oldestMs = Math.min(oldestMs, message.sentAtMs);
    return {
      /** Of the oldest message that may be handled, or is being handled. */
      ageMs: now - oldestMs,
      ready: this.#ready.size,
      delayed: this.#delayed.size,
      inFlight: this.#inFlight.size,
    };
  }

  send(body: string, delaySeconds: number): StoredMessage {
    const sentAtMs = Date.now();
    const message = {
      id: randomUUID(),
      body,
      md5: md5Of(body),
      sentAtMs,
      firstReceivedAtMs: 0,
      receives: 0,
    };
    if (delaySeconds === 0) this.#show(message);
    else {
      const timer = setTimeout(() => {
        this.#delayed.delete(timer);
        this.#show(message);
      }, delaySeconds * 1_000).unref();
      this.#delayed.add(timer);
    }
    return message;
  }

  /** By their handles. None when none came in time, or the caller has gone: then none is hidden for it either. */
  async receive(max: number, waitSeconds: number, gone: AbortSignal): Promise<Map<string, StoredMessage>> {
    const deadline = AbortSignal.any([gone, AbortSignal.timeout(waitSeconds * 1_000)]);
    for (;;) {
      if (gone.aborted) {
        this.#wakeNext();
        return new Map();
      }
      const received = this.#take(max);
      if (received.size > 0 || deadline.aborted) return received;
      await this.#nextMessage(deadline);
    }
  }

  /** Another receipt's handle, or one that is over, deletes nothing. */
  delete(handle: string): void {
    this.#uncover(handle);
  }

  /** Whether the handle was that of a message in flight. */
  hideFor(handle: string, seconds: number): boolean {
    const message = this.#uncover(handle);
    if (message === undefined) return false;
    if (seconds === 0) this.#show(message);
    else this.#hide(message, handle, seconds);
    return true;
  }

  stop(): void {
    for (const timer of this.#delayed) clearTimeout(timer);
    for (const { timer } of this.#inFlight.values()) clearTimeout(timer);
  }

  #take(max: number): Map<string, StoredMessage> {
    const { redrive, visibilityTimeoutSeconds } = this.#attributes;
    const received = new Map<string, StoredMessage>();
    for (const message of this.#ready) {
      if (received.size === max) break;
      this.#ready.delete(message);
      if (redrive !== undefined && message.receives >= redrive.receivesMax) {
        redrive.deadLetters.#show(message);
        continue;
      }
      message.receives++;
      message.firstReceivedAtMs ||= Date.now();
      const handle = randomUUID();
      this.#hide(message, handle, visibilityTimeoutSeconds);
      received.set(handle, message);
    }
    return received;
  }

  #show(message: StoredMessage): void {
    this.#ready.add(message);
    this.#wakeNext();
  }

  #wakeNext(): void {
    const [first] = this.#waiting;
    if (this.#ready.size > 0) first?.();
  }

  #hide(message: StoredMessage, handle: string, seconds: number): void {
    const timer = setTimeout(() => {
      this.#inFlight.delete(handle);
      this.#show(message);
    }, seconds * 1_000).unref();
    this.#inFlight.set(handle, { message, timer });
  }

  #uncover(handle: string): StoredMessage | undefined {
    const hidden = this.#inFlight.get(handle);
    if (hidden === undefined) return undefined;
    clearTimeout(hidden.timer);
    this.#inFlight.delete(handle);
    return hidden.message;
  }

  #nextMessage(deadline: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        deadline.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      deadline.addEventListener('abort', wake);
    });
  }
}
