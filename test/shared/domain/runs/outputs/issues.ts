import { AppError } from '../../../../../shared/domain/errors.ts';

/** The first issue of the 400 that it throws; undefined where it throws none. */
export function issueOf(act: () => unknown): { path: string; message: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 400) throw error;
    const { issues } = error.details as { issues: { path: string; message: string }[] };
    return issues[0];
  }
}
