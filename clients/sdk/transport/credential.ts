import { required } from './environment.ts';
import type { Settings } from './settings.ts';

/** The credential of a client. */
export interface Credential {
  /** For the header `Authorization`. */
  header(): Promise<string>;
  /** Whether there is another one after this, which was refused. */
  renew(refused: string): boolean;
}

export function createCredential(settings: Settings): Credential {
  const { apiKey } = settings;
  let current: Promise<string> | undefined;
  /** That of `current`. */
  let known: string | undefined;

  async function get(): Promise<string> {
    const source = required(settings.environment, 'apiKey', 'EVALGATE_API_KEY', apiKey);
    const text = (typeof source === 'function' ? await source(settings) : source).trim();
    // What fetch says of a header that it does not take quotes it.
    if (!/^[\x21-\x7e]+$/.test(text)) {
      throw new TypeError('apiKey: one ASCII word.');
    }
    known = `Bearer ${text}`;
    return known;
  }

  return {
    header() {
      current ??= get().catch((error) => {
        current = undefined;
        throw error;
      });
      return current;
    },
    renew(refused) {
      if (typeof apiKey !== 'function') return false;
      // A call at the same time may have got another one already.
      if (known === refused) current = undefined;
      return true;
    },
  };
}
