import type { Api, ApiAnswer } from '../../support/api.ts';
import { type AddressedApi, apiFrom } from '../../support/fromAddress.ts';
import type { OwnService } from '../../support/ownService.ts';

export interface Clients {
  /** Every test takes addresses of its own, so that none counts for another. */
  from(address: string, key?: string): Api;
  close(): void;
}

export function clientsOf({ baseUrl }: OwnService): Clients {
  const made: AddressedApi[] = [];
  return {
    from(address, key) {
      const client = apiFrom(baseUrl, address, key);
      made.push(client);
      return client.call;
    },
    close() {
      for (const client of made) client.close();
    },
  };
}

/** How many answers had each status. */
export function statuses(answers: readonly ApiAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
