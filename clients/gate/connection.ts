import type { Environment } from '../sdk/transport/environment.ts';

type Fetch = Environment['fetch'];

const TOO_MANY_REQUESTS = 429;

/** How a request ended: `limited` with a 429, `lost` without an answer. */
export type Connection = 'answered' | 'limited' | 'lost';

/** Called with each request. */
export type OnConnection = (connection: Connection, url: string, request: RequestInit) => void;

/** Requests as before, and somebody who is informed of how each one ended. */
export const watched =
  (fetch: Fetch, onConnection: OnConnection): Fetch =>
  async (url, request) => {
    try {
      const response = await fetch(url, request);
      onConnection(response.status === TOO_MANY_REQUESTS ? 'limited' : 'answered', url, request);
      return response;
    } catch (error) {
      onConnection('lost', url, request);
      throw error;
    }
  };
