import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { ROOT } from '../bundle/root.ts';
import { licensesOf } from '../npm/licenses.ts';
import { describeForms } from './describe.ts';

const SOURCES = path.join(ROOT, 'clients/dashboard');

/** The one module that a browser has of the contracts. */
const WRITTEN_FORMS: Plugin = {
  name: 'forms',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/kit\/form\/written\.ts$/ }, () => ({
      contents: `export const FORMS = ${JSON.stringify(describeForms())};`,
      loader: 'js',
    })),
};

export const DASHBOARD_OPTIONS = {
  absWorkingDir: SOURCES,
  entryPoints: ['main.tsx', 'styles/main.css'],
  outdir: path.join(SOURCES, 'assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  // `light-dark()` is what asks for these.
  target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  plugins: [WRITTEN_FORMS],
  logLevel: 'error',
  write: false,
  metafile: true,
} satisfies BuildOptions & { write: false; metafile: true };

/**
 * What a browser loads: `index.html`, and under `assets/` scripts and the style sheet, whose names say what is in them,
 * so that they may be kept for ever.
 */
export async function buildDashboard(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles, metafile, warnings } = await build(DASHBOARD_OPTIONS);
  // Such as a rule of the style sheet that browsers would leave out.
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('; '));
  const files = outputFiles.map((file) =>
    file.path.endsWith('.css')
      ? withLicenses(file, licensesOf(Object.keys(metafile.inputs).map(fromRoot), 'The dashboard'))
      : { name: path.basename(file.path), contents: file.contents },
  );
  const page = pageWith(
    files.map(({ name }) => name),
    metafile,
  );
  return new Map([
    ['index.html', new TextEncoder().encode(page)],
    ...files.map(({ name, contents }): [string, Uint8Array] => [`assets/${name}`, contents]),
  ]);
}

const fromRoot = (file: string): string => path.relative(ROOT, path.join(SOURCES, file));

interface Asset {
  readonly name: string;
  readonly contents: Uint8Array;
}

/** The packages that the scripts contain want to be named in each copy. The style sheet is one, and kept for ever. */
function withLicenses({ contents }: OutputFile, licenses: string): Asset {
  const text = `/*! ${licenses.replaceAll('*/', '* /')}*/\n${Buffer.from(contents)}`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  return { name: `main-${hash}.css`, contents: new TextEncoder().encode(text) };
}

/** The page with the names of today. What the first script imports is asked for with it, not behind it. */
function pageWith(names: readonly string[], { outputs }: Metafile): string {
  const main = Object.values(outputs).find(({ entryPoint }) => entryPoint === 'main.tsx');
  const preloads = (main?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map((one) => `<link rel="modulepreload" href="/assets/${path.basename(one.path)}">`);
  return readFileSync(path.join(SOURCES, 'index.html'), 'utf8')
    .replaceAll(
      /"main\.(js|css)"/g,
      (_, type) => `"/assets/${names.find((name) => name.startsWith('main-') && name.endsWith(type))}"`,
    )
    .replace('</head>', `${preloads.join('')}</head>`);
}
