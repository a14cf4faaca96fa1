/** What functions may do: `infra/aws/` makes their roles of it. */

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

/** All that a function may do; its variables follow from it. */
export interface Rights {
  /** Includes the actions of the items in the function's transactions. */
  readonly table: readonly TableAction[];
  /** Where `table` lacks UpdateItem: prefixes of the partition keys that it is allowed for, beside those of counters. */
  readonly updates?: readonly string[];
  /** `count` may also learn how many messages wait. */
  readonly queue?: 'send' | 'count';
  /** For BYOK keys and the secrets of sign-ins: a function that stores them cannot decrypt them, and none decrypts both. */
  readonly vault?: 'encrypt' | 'decrypt' | 'decryptSignIn';
  /** `verify` may read the public keys; `sign` may also sign tokens. */
  readonly tokens?: 'verify' | 'sign';
  /** `publish` may read the public keys of statements; `sign` may also sign statements, and receives the issuer of GitHub's jobs. */
  readonly statements?: 'publish' | 'sign';
  /** Reads what issuers publish: receives the issuer of GitHub's jobs and the allow-list of issuers. */
  readonly jobs?: true;
  /** Receives the payment provider's secrets as variables. */
  readonly payments?: true;
  /** Makes organisations: receives the plan of new ones. */
  readonly plan?: true;
  /** Receives the service's public address. */
  readonly baseUrl?: true;
  /** Receives the addresses of judges and the allowed endpoints. */
  readonly judge?: true;
}

export const READ = ['Query'] as const;
export const WRITE = ['Query', 'PutItem', 'UpdateItem'] as const;
/** Puts what a revision names, and moves heads. */
export const EDIT = ['PutItem', 'UpdateItem'] as const;
/** Deletes the head of a suite or project, and says that a purge is due. */
export const DELETE_HEAD = ['PutItem', 'UpdateItem', 'DeleteItem'] as const;
/** Stores runs, and reads what judges them. */
export const RUN = ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;
export const DELETE = ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'] as const;
