import { AppError } from '../domain/errors.ts';

/** Loaded when it is needed: few organisations are deleted. */
export const beingDeleted = (deletesAt: string): AppError =>
  new AppError(
    'ORGANISATION_BEING_DELETED',
    `This organisation is being deleted: until ${deletesAt} it can be read, and DELETE /v1/organisation/deletion takes that back.`,
  );
