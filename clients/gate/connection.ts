import type { Environment } from '../sdk/transport/environment.ts';

type Fetch = Environment['fetch'];

/** Called with each request: whether it got no answer. */
export type OnConnection = (isLost: boolean, url: string, request: RequestInit) => void;

/** Requests as before, and somebody who is informed of each one that got an answer, or none. */
export const watched =
  (fetch: Fetch, onConnection: OnConnection): Fetch =>
  async (url, request) => {
    try {
      const response = await fetch(url, request);
      onConnection(false, url, request);
      return response;
    } catch (error) {
      onConnection(true, url, request);
      throw error;
    }
  };
