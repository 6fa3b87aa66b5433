import { useEffect, useRef } from 'react';
import { isDialogOpen } from '../ui/is-dialog-open.ts';
import { keyMeaning } from './keys.ts';

interface Actions {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

/**
 * Listens to the keys of the whole console. Pages take part with `aria-keyshortcuts`: `/` on the field that searches the page, and
 * `Control+Enter` on the button that runs it. While a dialog is open, the keys belong to it.
 */
export function useKeys(actions: Actions): void {
  const current = useRef(actions);
  current.current = actions;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const pressed = { key, hasControl: ctrlKey || metaKey, hasAlt: altKey };
      const meaning = keyMeaning(pressed, isTextField(event.composedPath()[0]));
      if (meaning === undefined || isDialogOpen()) return;
      if (meaning === 'palette' || meaning === 'keys') {
        for (const menu of document.querySelectorAll<HTMLElement>(':popover-open')) menu.hidePopover();
        if (meaning === 'palette') current.current.onPalette();
        else current.current.onKeys();
      } else if (!actOn(meaning)) return;
      // Without this, the editor of options would insert a line break.
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

/** Focuses the search of the page, or presses its main button. Returns whether there is one. */
function actOn(meaning: 'search' | 'run'): boolean {
  const keys = meaning === 'search' ? '/' : 'Control+Enter';
  const part = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${keys}"]`);
  if (part === null) return false;
  if (meaning === 'run') part.click();
  else {
    part.focus();
    if (part instanceof HTMLInputElement) part.select();
  }
  return true;
}

const NO_TEXT: ReadonlySet<string> = new Set(['checkbox', 'radio', 'range', 'button', 'submit', 'file']);

/** Whether keys that are pressed at a target become text. */
function isTextField(target: EventTarget | undefined): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
