import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { spawned } from '../../support/spawned.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What a container would be started with. */
interface Built {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
}

/** A stage: its absolute paths lie in a folder. */
interface Stage extends Built {
  readonly root: string;
}

const read = (name: string): string => readFileSync(path.join(REPOSITORY_DIR, name), 'utf8');
const wordsOf = (text: string): string[] => text.split(/\s+/);

/** What a shell of the machine has, without what npm and jest said to the test. */
const OUTSIDE: Variables = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_)|EVALGATE_|NODE_(?:ENV|OPTIONS)$)/.test(name),
  ),
);

/** Does the steps of the Containerfile in folders below `root`, with the Node that the tests run on. */
export async function buildInFolders(root: string): Promise<Built> {
  const bin = path.join(root, 'bin');
  mkdirSync(bin);
  // The users of an image are none of the machine's.
  writeFileSync(path.join(bin, 'chown'), '#!/bin/sh\n', { mode: 0o755 });
  const PATH = [bin, path.dirname(NODE), process.env.PATH].join(path.delimiter);
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const line of read('Containerfile').replaceAll('\\\n', ' ').split('\n')) {
    const [, name = '', text = ''] = /^(\w+) (.+)$/.exec(line) ?? [];
    if (name === 'FROM') {
      const folder = path.join(root, `stage-${stages.size}`);
      mkdirSync(folder);
      const env = { ...OUTSIDE, PATH, npm_config_prefer_offline: 'true' };
      stage = { root: folder, cwd: folder, env, command: [] };
      stages.set(wordsOf(text)[2] ?? '', stage);
    } else if (name !== '') {
      if (stage === undefined) throw new Error(`${name} stands before FROM.`);
      Object.assign(stage, await done(stage, name, text, stages));
    } else if (line !== '' && !line.startsWith('#')) throw new Error(`What does ${line} do?`);
  }
  if (stage === undefined) throw new Error('The Containerfile has no stage.');
  return stage;
}

/** What the step changes of the stage, beside its files. */
async function done(
  stage: Stage,
  name: string,
  text: string,
  stages: ReadonlyMap<string, Stage>,
): Promise<Partial<Stage>> {
  const { root } = stage;
  const inStage = (words: string): string => words.replace(/(?<=^|[\s=])\/(?=\w)/g, `${root}/`);
  switch (name) {
    case 'WORKDIR': {
      const cwd = inStage(text);
      mkdirSync(cwd, { recursive: true });
      return { cwd };
    }
    case 'ENV': {
      const pairs = wordsOf(inStage(text)).map((pair) => pair.split('=') as [string, string]);
      return { env: { ...stage.env, ...Object.fromEntries(pairs) } };
    }
    case 'RUN':
      await run(stage, inStage(text));
      return {};
    case 'COPY':
      copy(stage, text, stages);
      return {};
    case 'CMD':
      return { command: JSON.parse(text) };
    // They are of the engine.
    case 'USER':
    case 'VOLUME':
    case 'EXPOSE':
      return {};
    default:
      throw new Error(`What does ${name} do?`);
  }
}

async function run({ cwd, env }: Stage, command: string): Promise<void> {
  const { code, stderr } = await spawned('sh', ['-c', command], { cwd, env }).ended;
  if (code !== 0) throw new Error(`${command}: ${stderr}`);
}

function copy(stage: Stage, text: string, stages: ReadonlyMap<string, Stage>): void {
  const words = wordsOf(text);
  const from = words[0]?.startsWith('--from=')
    ? stages.get(words.shift()?.slice('--from='.length) ?? '')
    : undefined;
  const target = words.pop() ?? '';
  const to = target.startsWith('/') ? path.join(stage.root, target) : path.join(stage.cwd, target);
  const ignored = new Set(read('.dockerignore').trim().split('\n'));
  const isSent = (file: string): boolean =>
    from !== undefined || !ignored.has(path.relative(REPOSITORY_DIR, file));
  for (const word of words) {
    const source = path.join(from?.root ?? REPOSITORY_DIR, word);
    const isInto = target.endsWith('/') && !statSync(source).isDirectory();
    const destination = isInto ? path.join(to, path.basename(word)) : to;
    cpSync(source, destination, { recursive: true, filter: isSent });
  }
}
