import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The comments on fields, by the constant that they stand in. */
type Comments = ReadonlyMap<string, ReadonlyMap<string, string>>;

const CONSTANT = /^(?:export )?const (\w+) = /;
const COMMENTED_FIELD = /^ +\/\*\* (?<comment>.*) \*\/\n +'?(?<field>[\w-]+)'?:/gm;

function commentsIn(source: string): Comments {
  const blocks = source.split(/^(?=(?:export )?const )/m);
  return new Map(
    blocks.map((block) => [
      CONSTANT.exec(block)?.[1] ?? '',
      new Map(
        [...block.matchAll(COMMENTED_FIELD)].map(({ groups }) => [
          groups?.field ?? '',
          groups?.comment ?? '',
        ]),
      ),
    ]),
  );
}

interface Source {
  readonly text: string;
  readonly comments: Comments;
}

const sources: readonly Source[] = globSync('shared/contracts/**/*.ts', { cwd: ROOT })
  .sort()
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
  .map((text) => ({ text, comments: commentsIn(text) }));

/** The constants whose fields another one takes over: `...runDetailFields`, `...verdictSchema.shape`, `body: newCaseSchema`. */
const TAKEN_OVER = /(?:\.\.\.|\bbody: )(\w+)(?:\.shape)?(?:,| \})/g;

const BLOCK = /^(?=(?:export )?const )/m;
const blocks = sources.flatMap(({ text }) => text.split(BLOCK));

const commentOf = (constant: string, field: string): string | undefined =>
  sources.map(({ comments }) => comments.get(constant)?.get(field)).find((comment) => comment !== undefined);

/** Finds the source that declares a contract. */
export const declarationOf = ({ id }: { readonly id: string }): RegExp =>
  new RegExp(`defineContract\\(\\s*'${id}'`);

/**
 * What the comment on a field says. `declares` finds the source that declares the contract or schema, and the constant;
 * a field that it takes over from another constant may be commented there, or one that it shares with another constant
 * of that source.
 */
export function descriptionOf(declares: RegExp, field: string): string {
  const source = sources.find(({ text }) => declares.test(text));
  if (source === undefined) throw new Error(`Nothing in shared/contracts declares ${declares}`);
  const block = source.text.split(BLOCK).find((text) => declares.test(text)) ?? '';
  const ownComment = source.comments.get(CONSTANT.exec(block)?.[1] ?? '')?.get(field);
  const takenOver = [...block.matchAll(TAKEN_OVER)].map(([, constant = '']) => commentOf(constant, field));
  const otherComments = [...source.comments.values()].flatMap((fields) => fields.get(field) ?? []);
  return ownComment ?? takenOver.find((comment) => comment !== undefined) ?? otherComments[0] ?? '';
}

/**
 * The same of an object inside another, all of whose fields are given: by the one constant that declares all of them.
 * Undefined where they are declared in several.
 */
export function nestedDescriptionOf(fields: readonly string[], field: string): string | undefined {
  const declarations = fields.map((name) => new RegExp(`^ +'?${name}'?[:,]`, 'm'));
  const homes = blocks.filter((block) => declarations.every((declared) => declared.test(block)));
  const home = homes.sort((a, b) => a.length - b.length)[0];
  return home === undefined ? undefined : (commentOf(CONSTANT.exec(home)?.[1] ?? '', field) ?? '');
}
