import { yamlText } from '../yamlText.ts';
import type { Imported } from './import.ts';

const HEAD = 'Imported from promptfoo: import-report.md says what is not the same.';

/** The file of a suite. */
export const suiteText = ({
  suite: { slug, name },
  scorers,
  cases,
}: Omit<Imported, 'outputs' | 'report'>): string =>
  yamlText(
    {
      version: 1,
      suite: slug,
      ...(name === undefined ? {} : { name }),
      pass_threshold: 1,
      scorers: Object.fromEntries(scorers.map(({ key, ...scorer }) => [key, scorer])),
      cases,
    },
    HEAD,
  );
