import { useEffect } from 'preact/hooks';
import { shown } from './text.ts';

/** Of the tab, from the particular to the general. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'evalgate'].map(shown).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
