import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

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

/**
 * What the comment on a field says. `declares` finds the source that declares the contract or schema, and the constant;
 * a field that it shares with another constant of that source may be commented there.
 */
export function descriptionOf(declares: RegExp, field: string): string {
  const source = sources.find(({ text }) => declares.test(text));
  if (source === undefined) throw new Error(`Nothing in shared/contracts declares ${declares}`);
  const block = source.text.split(/^(?=(?:export )?const )/m).find((text) => declares.test(text)) ?? '';
  const own = source.comments.get(CONSTANT.exec(block)?.[1] ?? '')?.get(field);
  const others = [...source.comments.values()].flatMap((fields) => fields.get(field) ?? []);
  return own ?? others[0] ?? '';
}
