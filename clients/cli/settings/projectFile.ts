import { existsSync } from 'node:fs';
import path from 'node:path';
import { readText } from '../input/readText.ts';
import type { Io } from '../io.ts';
import { Problem } from '../problem.ts';

export const PROJECT_FILE = 'evalgate.yaml';

const FIELDS = ['url', 'organisation', 'project'] as const;

/** What a repository's evalgate.yaml says about where its gates run. Whoever edits the repository writes it. */
export type ProjectFile = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

/** In this folder or one above, up to the repository's. */
function findProjectFile(from: string): string | undefined {
  for (let folder = path.resolve(from); ; ) {
    const file = path.join(folder, PROJECT_FILE);
    if (existsSync(file)) return file;
    const above = path.dirname(folder);
    if (above === folder || existsSync(path.join(folder, '.git'))) return undefined;
    folder = above;
  }
}

/** Without the suites, which only some commands read. */
export async function readProjectFile(io: Io): Promise<ProjectFile> {
  const file = findProjectFile(io.cwd);
  if (file === undefined) return {};
  const text = await readText(io, file);
  if (/egk_[0-9A-Za-z]{20,}/.test(text)) {
    const hint = 'Take it out, revoke it, and give the new key by EVALGATE_API_KEY or `evalgate login`.';
    throw new Problem(
      `${PROJECT_FILE} holds an API key: everybody who can read the repository has it.`,
      hint,
    );
  }
  return fieldsOf(await parsedYaml(text));
}

async function parsedYaml(text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, logLevel: 'silent' });
  const [error] = document.errors;
  if (error === undefined) return document.toJS();
  const { line, col } = lineCounter.linePos(error.pos[0]);
  throw new Problem(`${PROJECT_FILE}:${line}:${col}: it is not YAML (${error.code}).`);
}

function fieldsOf(content: unknown): ProjectFile {
  if (content === null) return {};
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw new Problem(`${PROJECT_FILE} holds no fields.`, 'Such as "project: support-bot".');
  }
  const known = content as Readonly<Record<string, unknown>>;
  const given = FIELDS.filter((field) => known[field] !== undefined && known[field] !== null);
  return Object.fromEntries(
    given.map((field) => {
      const value = known[field];
      if (typeof value !== 'string') throw new Problem(`${PROJECT_FILE}: ${field} is no text.`);
      return [field, value.trim()];
    }),
  );
}
