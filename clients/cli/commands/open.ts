import { EXIT } from '../../gate/problems/exitCodes.ts';
import { runPage, suitePage } from '../../gate/report/pages.ts';
import { type Context, connect, type Handler } from '../context.ts';
import { nameOf } from '../input/options.ts';
import { findSuiteBySlug } from '../output/findSuite.ts';
import { openInBrowser } from '../output/openInBrowser.ts';
import { readProjectFile } from '../settings/projectFile.ts';
import { findUrl } from '../settings/settings.ts';

/** Prints the address of a page of the dashboard, and opens it where somebody sits in front of the machine. */
export const open: Handler = async (context, [what]) => {
  const { io, globals, terminal } = context;
  const { value: url } = findUrl(io, globals, readProjectFile(io));
  const page = what === undefined ? `${url}/app` : await pageOf(context, url, what);
  terminal.data(`${page}\n`);
  if (terminal.canAsk) await openInBrowser(page);
  return EXIT.done;
};

/** Ids of runs are no slugs: these have no underscore. */
async function pageOf(context: Context, url: string, what: string): Promise<string> {
  if (what.startsWith('run_')) return runPage(url, nameOf('id of a run', what));
  const { suite, project } = await findSuiteBySlug(connect(context), what);
  return suitePage(url, project, suite.slug);
}
