import { resourcesOf } from './calls.ts';
import type { Resources } from './generated/resources.ts';
import { createSend } from './transport/send.ts';
import { type Options, settingsOf } from './transport/settings.ts';
import { createGate, type Gate } from './wait.ts';

/** A client of one service with one credential: every operation as `<resource>.<verb>`, and `run` and `wait`. */
export type Evalgate = Gate & Resources;

class Client {
  constructor(options: Options = {}) {
    const settings = settingsOf(options);
    const send = createSend(settings);
    Object.assign(this, resourcesOf(send), createGate(settings, send));
  }
}

export const Evalgate = Client as unknown as new (options?: Options) => Evalgate;
