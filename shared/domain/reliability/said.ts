/** How a run ended, as the next ones of its commit say it. */
export type Said = 'cleared' | 'aborted' | 'inconclusive';

export const saidBy = ({
  status,
  inconclusive,
}: {
  readonly status: string;
  readonly inconclusive: boolean;
}): Said => (inconclusive ? 'inconclusive' : status === 'cleared' ? 'cleared' : 'aborted');
