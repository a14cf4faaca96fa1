import { randomInt } from 'node:crypto';
import * as z from 'zod';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Strict: a setting that is not known here would make another secret. */
export const secretSchema = z.strictObject({
  Description: z.string().optional(),
  Tags: z.unknown().optional(),
  GenerateSecretString: z.strictObject({
    PasswordLength: z.int().default(32),
    ExcludePunctuation: z.boolean().default(false),
    SecretStringTemplate: z.string().optional(),
    GenerateStringKey: z.string().optional(),
  }),
});
type Secret = z.output<typeof secretSchema>;

const fieldsOf = ({ GenerateSecretString: { SecretStringTemplate } }: Secret): Record<string, string> =>
  SecretStringTemplate === undefined ? {} : JSON.parse(SecretStringTemplate);

/** The value that Secrets Manager generates, with the fields that the operator fills. */
export function secretString(secret: Secret, filled: Readonly<Record<string, string>>): string {
  const { GenerateStringKey, PasswordLength, ExcludePunctuation } = secret.GenerateSecretString;
  const password = passwordOf(PasswordLength, ExcludePunctuation ? '' : PUNCTUATION);
  if (GenerateStringKey === undefined) return password;
  const fields = fieldsOf(secret);
  const known = Object.entries(filled).filter(([name]) => name in fields);
  return JSON.stringify({ ...fields, ...Object.fromEntries(known), [GenerateStringKey]: password });
}

export const hasField = (secret: Secret, name: string): boolean => name in fieldsOf(secret);

/** At least one of each kind of characters. */
function passwordOf(length: number, punctuation: string): string {
  const kinds = [LETTERS, LETTERS.toUpperCase(), '0123456789', punctuation].filter((kind) => kind !== '');
  const anyOf = (characters: string): string => characters.charAt(randomInt(characters.length));
  const rest = Array.from({ length: length - kinds.length }, () => anyOf(kinds.join('')));
  return [...kinds.map(anyOf), ...rest].join('');
}
