import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { listening } from '../../support/listening.ts';
import { eventually } from '../../support/service.ts';
import type { End, Fault, WireAnswer } from './faults.ts';
import { bytesUntil, finish, lengthsOf, sendWhole, written } from './wire.ts';

export interface FaultyProxy {
  readonly url: string;
  /** What happens to the next requests, one each. After them all goes well. */
  play(faults: readonly Fault[]): void;
  /** Whether the next connection is to be refused; it counts as refused then. */
  refuses(): boolean;
  /** Called when a request gets no answer. */
  onSilence: () => void;
  /** When the service has answered all that it was sent. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const ALL_WELL = { type: 'none', framing: 'length', isPacked: false } as const;

/** A TCP proxy in front of the service: it loses, cuts and replaces what the test says. */
async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const service = createService(new URL(serviceUrl));
  const sockets = new Set<Socket>();
  let queue: Fault[] = [];
  const next = (): Fault => queue.shift() ?? ALL_WELL;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (proxy.refuses()) finish(socket, 'reset');
    else serve(socket, { next, service, onSilence: () => proxy.onSilence() });
  });
  const { url, stop } = await listening(server);
  const proxy: FaultyProxy = {
    url,
    play(faults) {
      queue = [...faults];
    },
    refuses() {
      if (queue[0]?.type !== 'refused') return false;
      queue.shift();
      return true;
    },
    onSilence: () => undefined,
    settled: () => eventually(() => service.underWay() === 0),
    stop() {
      for (const socket of sockets) socket.destroy();
      return stop();
    },
  };
  return proxy;
}

/** One in front of the shared service for all tests of a file. */
export function useFaultyProxy(): FaultyProxy {
  const proxy = {} as FaultyProxy;
  beforeAll(async () => {
    const started = await startFaultyProxy(sharedServiceUrl());
    // The proxy calls what a test sets here.
    started.onSilence = () => proxy.onSilence();
    Object.assign(proxy, { ...started, onSilence: () => undefined });
  });
  afterAll(() => proxy.stop());
  return proxy;
}

interface Service {
  underWay(): number;
  carryOut(request: Buffer): Promise<WireAnswer>;
  /** The service gets these bytes of a request, and then the end of the connection. */
  sendPart(bytes: Buffer, end: End): void;
}

function createService(target: URL): Service {
  let underWay = 0;
  return {
    underWay: () => underWay,
    carryOut(request) {
      underWay++;
      return sendWhole(target, request).finally(() => {
        underWay--;
      });
    },
    sendPart(bytes, end) {
      const socket = connect(Number(target.port), target.hostname, () =>
        socket.write(bytes, () => finish(socket, end)),
      );
      socket.on('error', () => undefined).resume();
    },
  };
}

interface Part {
  next(): Fault;
  readonly service: Service;
  onSilence(): void;
}

/** One connection of a client; requests come on it one after the other. */
function serve(socket: Socket, { next, service, onSilence }: Part): void {
  let taken = Buffer.alloc(0);
  let fault: Fault | undefined;

  function step(): void {
    const lengths = lengthsOf(taken);
    if (lengths === undefined) return;
    fault ??= next();
    const { head, body } = lengths;
    const length = fault.type === 'request cut' ? bytesUntil(fault.place, head, body) : head + body;
    if (taken.length < length) return;
    const request = taken.subarray(0, length);
    if (fault.type === 'request cut') {
      service.sendPart(request, fault.end);
      finish(socket, fault.end);
      return;
    }
    void answer(request, fault);
    taken = taken.subarray(length);
    fault = undefined;
  }

  async function answer(request: Buffer, fault: Fault): Promise<void> {
    switch (fault.type) {
      case 'refused':
        finish(socket, 'reset');
        return;
      case 'none':
      case 'answer cut': {
        const { head, body } = written(await service.carryOut(request), fault);
        const bytes = Buffer.concat([head, body]);
        if (fault.type === 'answer cut') {
          const shown = bytes.subarray(0, bytesUntil(fault.place, head.length, body.length));
          socket.write(shown, () => finish(socket, fault.end));
        } else if (fault.framing === 'close') socket.end(bytes);
        else socket.write(bytes);
        return;
      }
      case 'other answer': {
        if (fault.isCarriedOut) await service.carryOut(request);
        const { head, body } = written(fault.answer, ALL_WELL);
        socket.write(Buffer.concat([head, body]));
        return;
      }
      case 'silence':
        if (fault.isCarriedOut) await service.carryOut(request);
        onSilence();
    }
  }

  socket.on('data', (bytes) => {
    taken = Buffer.concat([taken, bytes]);
    step();
  });
}
