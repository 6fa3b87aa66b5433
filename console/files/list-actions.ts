import type { KeyboardEvent, MouseEvent } from 'react';
import type { ChosenFile } from '../uploads/chosen-files.ts';
import type { SelectHow } from './file-selection.ts';

/** What a list of entries tells the page. Keep the same object, because all rows get it. */
export interface ListActions {
  /** Whether the entries may be renamed, moved and deleted. */
  readonly mayWrite: boolean;
  select(path: string, how: SelectHow): void;
  selectAll(): void;
  clear(): void;
  /** Shows a field for the name of the entry. */
  startRename(path: string): void;
  endRename(path: string, name: string | undefined): void;
  /** Deletes the selected entries, or this one if it is not selected. */
  remove(path: string): void;
  /** The entries that are dragged with this one: itself, or all selected ones. */
  dragged(path: string): readonly string[];
  moveInto(paths: readonly string[], folder: string): void;
  /** Uploads files that are dropped onto a folder. It takes time to find those of a dropped folder. */
  uploadInto(files: Promise<readonly ChosenFile[]>, folder: string): void;
  /** Selects the entry, and asks for the folder to move it to. */
  startMove(path: string): void;
  /** Saves a folder as one zip. */
  downloadFolder(path: string): void;
}

/** The attribute with the path of an entry, on the element of the entry. */
const PATH = 'data-path';

const entryAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(`[${PATH}]`) : null;

export const pathAt = (target: EventTarget | null): string | undefined =>
  entryAt(target)?.getAttribute(PATH) ?? undefined;

/** Handles a click on an entry: its checkbox, a click with Shift or Ctrl, or a click beside its controls. */
export function onListClick(event: MouseEvent, { select }: ListActions): void {
  const { target } = event;
  const path = pathAt(target);
  if (path === undefined || !(target instanceof Element) || target.closest('[popover]') !== null) return;
  const isControl = target.closest('a, button, input') !== null;
  if (target instanceof HTMLInputElement && target.type === 'checkbox') {
    select(path, event.shiftKey ? 'range' : 'toggle');
  } else if (event.shiftKey || event.ctrlKey || event.metaKey) {
    if (target.closest('input, button') !== null) return;
    // The browser would open the link in another tab or window.
    event.preventDefault();
    event.stopPropagation();
    select(path, event.shiftKey ? 'range' : 'toggle');
  } else if (!isControl) select(path, 'only');
}

/** A click with Shift selects entries, and not the text between. */
export function keepTextUnselected(event: MouseEvent): void {
  if (event.shiftKey) event.preventDefault();
}

/** Handles a key while the link or the checkbox of an entry has the focus. */
export function onListKey(event: KeyboardEvent, actions: ListActions): void {
  const { target } = event;
  const entry = entryAt(target);
  const path = entry?.getAttribute(PATH);
  if (
    entry === null ||
    path == null ||
    (target as Element).closest('[popover]') !== null ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox')
  )
    return;
  const run = keyAction(event, entry, path, actions);
  if (run === undefined) return;
  event.preventDefault();
  run();
}

/** What a key does with the entry that has the focus. undefined: nothing. */
function keyAction(
  { key, target, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  entry: HTMLElement,
  path: string,
  actions: ListActions,
): (() => void) | undefined {
  if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? actions.selectAll : undefined;
  switch (key) {
    case 'F2':
      return actions.mayWrite ? () => actions.startRename(path) : undefined;
    case 'Delete':
      return actions.mayWrite ? () => actions.remove(path) : undefined;
    case 'Escape':
      return actions.clear;
    case ' ':
      return target instanceof HTMLAnchorElement ? () => actions.select(path, 'toggle') : undefined;
    case 'ArrowDown':
    case 'ArrowUp':
      return () => focusNext(entry, key === 'ArrowDown' ? 1 : -1, shiftKey, actions);
    default:
      return undefined;
  }
}

/** Focuses the link of the next or previous entry. `isRange`: selects all entries from the anchor to it. */
function focusNext(entry: HTMLElement, step: 1 | -1, isRange: boolean, { select }: ListActions): void {
  const { index } = entry.dataset;
  const next = entry.parentElement?.querySelector<HTMLElement>(`[data-index="${Number(index) + step}"]`);
  const link = next?.querySelector('a');
  if (next == null || link == null) return;
  link.focus();
  if (isRange) select(next.getAttribute(PATH) ?? '', 'range');
}

/** Focuses the link of an entry, if it is shown. Call this after a control of the entry has disappeared. */
export function focusEntry(path: string): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[${PATH}="${CSS.escape(path)}"] a`)?.focus({ preventScroll: true }),
  );
}
