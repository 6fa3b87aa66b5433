import { useQueryClient } from '@tanstack/react-query';
import type { Bin } from '@telecine/client';
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../app/client.ts';
import type { Notice } from '../ui/undo-notice.tsx';
import type { UploadItem } from '../uploads/upload-item.ts';
import { useUploads } from '../uploads/uploads-provider.tsx';
import { downloadZip } from './download-zip.ts';
import { type EntryMove, entriesText, movedText } from './move-targets.ts';
import { replacedText } from './replaced-text.ts';
import { STORED_QUERIES } from './stored-queries.ts';
import { useLatest } from './use-latest.ts';

/** Runs an action for each item, one after the other. An error of one item does not stop the others. */
async function runEach<T>(items: readonly T[], run: (item: T) => Promise<unknown>) {
  const done: T[] = [];
  const errors: unknown[] = [];
  for (const item of items)
    try {
      await run(item);
      done.push(item);
    } catch (error) {
      errors.push(error);
    }
  return { done, errors };
}

/** An entry of the bin, as far as it can be restored with it. */
export type RestoredEntry = Pick<Bin['entries'][number], 'entryId' | 'path'>;

/** Resolves to whether all of the entries were restored. */
type RestoreEntries = (entries: readonly RestoredEntry[]) => Promise<boolean>;

type MoveEntries = (moves: readonly EntryMove[], verb?: 'Moved' | 'Renamed') => void;

/** Says that deleted files are in the bin, where they still take space. `entries`: the number of its new entries. */
function inBinText(entries: number): string {
  if (entries === 0) return '';
  return entries === 1 ? ' It is in the bin.' : ' They are in the bin.';
}

/**
 * The actions on entries of the files page, and the notice about the last one. `onMoved`: called after entries have moved, before the list is
 * read again.
 */
export function useFileActions(onMoved: (moves: readonly EntryMove[]) => void) {
  const moved = useLatest(onMoved);
  const queries = useQueryClient();
  const uploads = useUploads();
  const { notice, setNotice, latestNotice } = useNotice();
  const refresh = useCallback(
    () => Promise.all(STORED_QUERIES.map((queryKey) => queries.invalidateQueries({ queryKey: [queryKey] }))),
    [queries],
  );
  /** Actions run one after the other, so that an undo finds what its action has done. */
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const inTurn = useCallback(<T>(run: () => Promise<T>): Promise<T> => {
    const next = last.current.then(run, run);
    last.current = next;
    return next;
  }, []);

  const move: MoveEntries = useCallback(
    (moves, verb = 'Moved') => {
      if (moves.length === 0) return;
      void inTurn(async () => {
        setNotice({ text: `Moving ${entriesText(moves.map(({ from }) => from))}…`, isRunning: true });
        const { done, errors } = await runEach(moves, (one) => client.moveFile(one));
        const places = done.map(({ to }) => to);
        const isRenamed = verb === 'Renamed' && places.length > 0;
        setNotice({
          text: isRenamed ? `Renamed to ${entriesText(places)}.` : movedText(verb, places),
          ...(errors.length > 0 && { error: errors[0] }),
        });
        if (done.length > 0) moved.current(done);
        await refresh();
      });
    },
    [inTurn, refresh, moved, setNotice],
  );
  /** Moves entries of the bin back. A file that is at the path of one goes to the bin, and an undo brings it back. */
  const restore: RestoreEntries = useCallback(
    (entries) =>
      inTurn(async () => {
        const replaced: RestoredEntry[] = [];
        const { done, errors } = await runEach(entries, async ({ entryId }) => {
          const restored = await client.restoreFile(entryId, { replace: true });
          if (restored.replaced !== undefined) replaced.push(restored.replaced);
        });
        const text = movedText(
          'Restored',
          done.map(({ path }) => path),
        );
        setNotice({
          text: replaced.length === 0 ? text : `${text} What was there before is in the bin.`,
          ...(replaced.length > 0 && { undo: () => restore(replaced) }),
          ...(errors.length > 0 && { error: errors[0] }),
        });
        // The finished upload is in the bin now. Remove it from the list.
        for (const { path } of replaced) uploads.removeDone(path);
        await refresh();
        return errors.length === 0;
      }),
    [inTurn, refresh, uploads, setNotice],
  );

  /** The notice about uploads that have replaced files, and these uploads. */
  const replacing = useRef<{ readonly notice: Notice; readonly items: readonly UploadItem[] }>(undefined);
  /** Shows a notice about uploads that have replaced files. One that is shown already gets them too, so that one undo reverses all. */
  const showReplaced = useCallback(
    (items: readonly UploadItem[]) =>
      inTurn(async () => {
        const shown = replacing.current;
        const earlier = shown !== undefined && shown.notice === latestNotice.current ? shown.items : [];
        // Of a file that was replaced twice, an undo brings the first content back.
        const isFirst = ({ path }: UploadItem): boolean => earlier.every((one) => one.path !== path);
        const all = [...earlier, ...items.filter(isFirst)];
        const next = replacedNotice(all, restore);
        replacing.current = { notice: next, items: all };
        setNotice(next);
      }),
    [inTurn, restore, latestNotice, setNotice],
  );

  /** Moves entries to the bin, and resolves to those that are there. `onDone`: called with the paths that are deleted. */
  const remove = useCallback(
    (paths: readonly string[], onDone?: (deleted: readonly string[]) => void): Promise<readonly RestoredEntry[]> =>
      inTurn(async () => {
        let kept: readonly RestoredEntry[] = [];
        setNotice({ text: `Deleting ${entriesText(paths)}…`, isRunning: true });
        try {
          const { deleted, failed } = await client.deleteFiles({ paths: [...paths], keep: true });
          const entries = deleted.flatMap(({ entry }) => entry ?? []);
          kept = entries;
          const [first] = failed;
          setNotice({
            text:
              deleted.length === 0
                ? ''
                : `Deleted ${entriesText(deleted.map(({ path }) => path))}.${inBinText(entries.length)}`,
            ...(entries.length > 0 && { undo: () => restore(entries) }),
            ...(first && { error: new Error(first.detail) }),
          });
          onDone?.(deleted.map(({ path }) => path));
        } catch (error) {
          setNotice({ text: '', error });
        }
        await refresh();
        return kept;
      }),
    [inTurn, refresh, restore, setNotice],
  );
  const download = useZipDownload(setNotice);
  return { notice, setNotice, refresh, move, remove, restore, showReplaced, download };
}

/** The notice, and the latest one that was set, which the page may not show yet: two actions can end before it is rendered. */
function useNotice() {
  const [notice, setState] = useState<Notice>();
  const latestNotice = useRef<Notice>(undefined);
  const setNotice: Dispatch<SetStateAction<Notice | undefined>> = useCallback((next) => {
    latestNotice.current = typeof next === 'function' ? next(latestNotice.current) : next;
    setState(latestNotice.current);
  }, []);
  return { notice, setNotice, latestNotice };
}

/** What uploads have done to earlier files, with an undo for those that are in the bin. */
function replacedNotice(items: readonly UploadItem[], restore: RestoreEntries): Notice {
  const kept = items.flatMap(({ path, replaced }) =>
    replaced?.entryId === undefined ? [] : [{ path, entryId: replaced.entryId }],
  );
  const paths = items.map(({ path }) => path);
  return {
    text: replacedText(paths, kept.length),
    ...(kept.length > 0 && { undo: () => restore(kept) }),
  };
}

/**
 * Saves entries as one zip. undefined: they are too many for one zip. It takes long to find the files of a large folder, so this runs beside
 * the other actions, and a second call is ignored meanwhile.
 */
function useZipDownload(setNotice: Dispatch<SetStateAction<Notice | undefined>>) {
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return useCallback(
    async (paths: readonly string[] | undefined, what: string): Promise<void> => {
      if (running.current !== undefined) return;
      if (paths === undefined) {
        const text = 'These are too many for one zip. Select fewer, or move them to a folder and download it.';
        return setNotice({ text: '', error: new Error(text) });
      }
      const abort = new AbortController();
      running.current = abort;
      const own: Notice = { text: `Looking for the files of ${what}…`, isRunning: true };
      setNotice(own);
      try {
        await downloadZip(paths, abort.signal);
        // The notice of another action stays, because it may have an undo.
        setNotice((now) => (now === own ? { text: `The download of ${what} begins.` } : now));
      } catch (error) {
        if (!abort.signal.aborted)
          setNotice((now) => ({ ...(now === own ? { text: '' } : (now ?? { text: '' })), error }));
      }
      running.current = undefined;
    },
    [setNotice],
  );
}
