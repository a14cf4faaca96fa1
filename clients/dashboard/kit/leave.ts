import { useLayoutEffect } from 'preact/hooks';

/** Forms with text that is not saved. */
const unsaved = new Set<symbol>();

export const isTyped = (): boolean => unsaved.size > 0;

/** Asks where typed text would be lost. */
export const mayLeave = (question = 'Leave the page?'): boolean =>
  !isTyped() || confirm(`What you typed is not saved. ${question}`);

/** Typed text is given up: leaving asks no more. */
export const giveUpTyped = (): void => unsaved.clear();

addEventListener('beforeunload', (event) => {
  if (isTyped()) event.preventDefault();
});

/** While it is true, leaving the page asks. An effect after painting would ask for what was just saved. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const form = Symbol();
    unsaved.add(form);
    return () => void unsaved.delete(form);
  }, [isUnsaved]);
}
