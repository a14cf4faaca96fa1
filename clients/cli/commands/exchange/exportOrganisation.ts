import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SLUG } from '../../../files/config/configFile.ts';
import { CONFIG_FILE } from '../../../files/disk/repository.ts';
import { type Definition, pulled } from '../../../files/pull/pull.ts';
import { Problems } from '../../../files/read/problems.ts';
import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { safeJson } from '../../../gate/report/escape.ts';
import { counted } from '../../../gate/report/numbers.ts';
import { type AuthWhoamiAnswer, type Evalgate, EvalgateError, type Suite } from '../../../sdk/index.ts';
import { operationOf } from '../../../sdk/transport/operation.ts';
import type { Send } from '../../../sdk/transport/send.ts';
import { createSender } from '../../client.ts';
import { type Context, connect, type Handler } from '../../context.ts';
import { nowMs } from '../../io.ts';
import { Problem } from '../../problem.ts';
import { configText } from '../init/initTexts.ts';
import { ExportFolder, type Items } from './exportFolder.ts';

/** A request is repeated for so long while the service limits requests, or does not answer. */
const PATIENCE_MS = 10 * 60_000;
const NOT_VISIBLE = [403, 404];
const NOT_FOUND = 404;

/** Writes all that the service shows of an organisation. */
export const exportOrganisation: Handler<{ readonly out: string }> = async (context, _args, { out }) => {
  const { gate, settings } = connect(context);
  const call = { signal: context.io.signal, deadlineMs: PATIENCE_MS };
  const caller = await gate.auth.whoami(call);
  const { organisation, project, scope } = caller;
  if (project !== null || scope === 'run') {
    const what = project === null ? 'has the scope run' : `is bound to the project ${project.slug}`;
    throw new Problem(
      `This credential ${what}: it does not see the organisation.`,
      'Give a key of scope full, or of scope read for all but logs and credentials, that is bound to no project.',
    );
  }
  const source = { url: settings.url, organisation: organisation.id };
  const folder = new ExportFolder(path.resolve(context.io.cwd, out), source);
  if (folder.isResumed) context.terminal.say('goes on with the export that is begun in this folder');
  const connection = { gate, send: createSender(context.io, settings), call, url: settings.url };
  return new Export(context, folder, connection).write(caller);
};

interface Connection {
  readonly gate: Evalgate;
  readonly send: Send;
  readonly call: { readonly signal: AbortSignal; readonly deadlineMs: number };
  readonly url: string;
}

class Export {
  readonly #context: Context;
  readonly #folder: ExportFolder;
  readonly #connection: Connection;

  constructor(context: Context, folder: ExportFolder, connection: Connection) {
    this.#context = context;
    this.#folder = folder;
    this.#connection = connection;
  }

  async write(caller: AuthWhoamiAnswer): Promise<number> {
    const { gate, call, url } = this.#connection;
    const usage = await gate.billing.usage(call);
    await this.#text('organisation.json', safeJson({ organisation: caller.organisation, usage }, 2));
    await this.#lines('api-keys.jsonl', gate.apiKeys.list({}, call));
    await this.#lines('byok-keys.jsonl', gate.byokKeys.list({}, call));
    await this.#lines('trusted-issuers.jsonl', gate.trustedIssuers.list({}, call));
    await this.#signIn();
    await this.#lines('changes.jsonl', gate.history.organisationChanges({}, call));
    await this.#lines('projects.jsonl', gate.projects.list({}, call));
    for await (const { slug } of gate.projects.list({}, call)) await this.#project(caller, slug);
    const { organisation, scope } = caller;
    const { items, leftOut } = this.#folder;
    const exportedAt = new Date(nowMs(this.#context.io)).toISOString();
    const manifest = {
      version: 1,
      url,
      organisation,
      scope,
      exported_at: exportedAt,
      items,
      left_out: leftOut,
    };
    await this.#folder.finish(manifest);
    const { terminal, globals } = this.#context;
    if (globals.json) terminal.data(`${safeJson(manifest, 2)}\n`);
    for (const { what, why } of leftOut) terminal.warn(`${what} is left out: ${why}`);
    terminal.say(`exported ${counted(Object.keys(items).length, 'file')}`);
    if (leftOut.length === 0) return EXIT.done;
    terminal.fail(`${counted(leftOut.length, 'part')} could not be read: manifest.json names each.`);
    return EXIT.callerMustChange;
  }

  async #signIn(): Promise<void> {
    const { send, call } = this.#connection;
    await this.#unlessHidden('sign-in.json', async () => {
      const signIn = await send(operationOf('GET /v1/sign-in'), { names: [] }, call).catch((error) => {
        if (error instanceof EvalgateError && error.status === NOT_FOUND) return undefined;
        throw error;
      });
      if (signIn) await this.#text('sign-in.json', safeJson((signIn.body as { data: unknown }).data, 2));
    });
  }

  async #project({ organisation }: AuthWhoamiAnswer, project: string): Promise<void> {
    const { gate, call, url } = this.#connection;
    const place = `projects/${checkedSlug(project)}`;
    const config = configText({ url, organisation: organisation.id, project });
    await this.#text(`${place}/${CONFIG_FILE}`, config);
    await this.#lines(`${place}/byok-keys.jsonl`, gate.byokKeys.list({ project }, call));
    await this.#lines(`${place}/scorers.jsonl`, gate.scorers.list(project, {}, call));
    await this.#lines(`${place}/changes.jsonl`, gate.history.projectChanges(project, {}, call));
    await this.#lines(`${place}/suites.jsonl`, gate.suites.list(project, {}, call));
    for await (const suite of gate.suites.list(project, {}, call)) {
      await this.#suiteFiles(project, suite, config);
      await this.#suite(`${place}/suites/${suite.slug}`, suite);
    }
  }

  /** As `pull` writes it into a folder without other suites. What no file can say is kept as the service answers it. */
  async #suiteFiles(project: string, { slug }: Suite, config: string): Promise<void> {
    const { gate, call, url } = this.#connection;
    const name = `projects/${project}/evals/${checkedSlug(slug)}`;
    if (this.#folder.has(`${name}.suite.yaml`) || this.#folder.has(`${name}.definition.json`)) return;
    await this.#unlessHidden(`${name}.suite.yaml`, async () => {
      const { definition } = await gate.definitions.get(project, slug, call);
      const file = await suiteFile(definition as Definition, { config, url, nowMs: nowMs(this.#context.io) });
      if (file !== undefined) return this.#text(`${name}.suite.yaml`, file);
      this.#context.terminal.warn(`no suite file can say what ${project}/${slug} has: it is kept as JSON`);
      await this.#text(`${name}.definition.json`, safeJson(definition, 2));
    });
  }

  async #suite(place: string, { id }: Suite): Promise<void> {
    const { gate, call } = this.#connection;
    await this.#lines(`${place}/baselines.jsonl`, gate.baselines.list(id, {}, call));
    await this.#lines(`${place}/changes.jsonl`, gate.history.suiteChanges(id, {}, call));
    await this.#lines(`${place}/bars.jsonl`, this.#bars(id));
    await this.#unlessHidden(`${place}/judge-check.json`, async () =>
      this.#text(`${place}/judge-check.json`, safeJson(await gate.judgeChecks.get(id, call), 2)),
    );
    await this.#lines(`${place}/runs.jsonl`, gate.runs.list(id, {}, call));
    await this.#results(`${place}/results.jsonl`, `${place}/runs.jsonl`);
  }

  async *#bars(suiteId: string): AsyncGenerator<unknown> {
    const { gate, call } = this.#connection;
    for await (const judged of gate.history.revisions(suiteId, {}, call))
      yield { ...judged, ...(await gate.history.revision(suiteId, judged.digest, call)) };
  }

  async #results(name: string, runs: string): Promise<void> {
    if (this.#folder.has(name) || !this.#folder.has(runs)) return;
    const { lines, last } = await this.#folder.left(name, 'run_id');
    await this.#folder.writeLines(name, this.#resultsOf(runs, last), lines);
    this.#context.terminal.say(`wrote ${name}`);
  }

  /** `from`: the first run whose results are missing; left out: all. */
  async *#resultsOf(runs: string, from: string | undefined): AsyncGenerator<unknown> {
    const { gate, call } = this.#connection;
    let isReached = from === undefined;
    for await (const id of this.#folder.idsIn(runs)) {
      isReached ||= id === from;
      if (!isReached) continue;
      try {
        yield* gate.runs.results(id, {}, call);
      } catch (error) {
        this.#leaveOut(`the results of ${id}`, error);
      }
    }
  }

  async #lines(name: string, items: Items): Promise<void> {
    if (this.#folder.has(name)) return;
    await this.#unlessHidden(name, () => this.#folder.writeLines(name, items));
    if (this.#folder.has(name)) this.#context.terminal.say(`wrote ${name}`);
  }

  async #text(name: string, text: string): Promise<void> {
    if (!this.#folder.has(name)) await this.#folder.writeText(name, text.endsWith('\n') ? text : `${text}\n`);
  }

  async #unlessHidden(name: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#leaveOut(name, error);
    }
  }

  /** What the credential does not see, or what is gone since it was listed. Any other failure ends the command. */
  #leaveOut(what: string, error: unknown): void {
    if (!(error instanceof EvalgateError && NOT_VISIBLE.includes(error.status ?? 0))) throw error;
    this.#folder.leaveOut(what, error.message);
  }
}

/** It becomes the name of a folder. */
function checkedSlug(slug: string): string {
  if (SLUG.test(slug)) return slug;
  throw new Problem(`The service answered a slug that is none: ${slug}.`, 'Is it an evalgate service?');
}

/** Undefined where no file can say it. */
async function suiteFile(
  definition: Definition,
  { config, url, nowMs }: { readonly config: string; readonly url: string; readonly nowMs: number },
): Promise<string | undefined> {
  const root = mkdtempSync(path.join(tmpdir(), 'evalgate-export-'));
  try {
    writeFileSync(path.join(root, CONFIG_FILE), config);
    const options = { folder: 'evals', schema: `${url}/schema/suite.v1.json`, nowMs };
    const written = await pulled(root, [definition], options, new Problems());
    return written?.texts.get(`evals/${definition.suite}.suite.yaml`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
