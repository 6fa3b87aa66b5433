import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { useMedia } from '../ui/use-media.ts';
import { DropZone } from '../uploads/drop-zone.tsx';
import { pickFolder } from '../uploads/pick-folder.ts';
import type { UploadItem } from '../uploads/upload-item.ts';
import { UploadProgress } from '../uploads/upload-progress.tsx';
import { useUploadItems, useUploads } from '../uploads/uploads-provider.tsx';
import { folderOf, folderText, nameOf } from './file-list.ts';
import styles from './folder-uploads.module.css';

/**
 * Shows the progress of uploads. `emptyText`: the text for an empty folder, whose list is replaced by an area to drop files, with
 * `emptyActions`. `onUploaded`: called after each finished upload, and at first if there are finished ones. `onReplaced`: called with uploads that have replaced a file while the page is shown.
 */
export function FolderUploads({
  folder,
  emptyText,
  emptyNote,
  emptyActions,
  isNext,
  onUploaded,
  onReplaced,
}: {
  readonly folder: string;
  readonly emptyText: string | undefined;
  /** A sentence below `emptyText`. */
  readonly emptyNote: string;
  readonly emptyActions?: ReactNode;
  /** Whether an upload is the main action of the page. */
  readonly isNext: boolean;
  readonly onUploaded: () => void;
  readonly onReplaced?: (items: readonly UploadItem[]) => void;
}) {
  const uploads = useUploads();
  const items = useUploadItems();
  // Nothing can be dropped with a finger.
  const isTouch = useMedia('(hover: none), (width < 40rem)');
  const done = items.filter(({ state }) => state === 'done').length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is read again when the number of uploads that are done rises.
  useEffect(() => {
    if (done > 0) onUploaded();
  }, [done]);
  const seen = useRef<ReadonlySet<string>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the uploads can end one.
  useEffect(() => {
    const ended = items.filter(({ state }) => state === 'done');
    const before = seen.current;
    const replaced = ended.filter((item) => item.replaced !== undefined && before?.has(item.id) === false);
    seen.current = new Set(ended.map(({ id }) => id));
    if (replaced.length > 0) onReplaced?.(replaced);
  }, [items]);
  if (emptyText === undefined && items.length === 0) return null;
  return (
    <div className={styles.uploads}>
      {emptyText !== undefined && (
        <DropZone
          isNext={isNext}
          label={emptyText}
          note={isTouch ? emptyNote : `${emptyNote} Drop files here to upload them.`}
          onFiles={(files) => uploads.add(files, folder)}
        >
          <Button onClick={() => pickFolder((files) => uploads.add(files, folder))}>Choose a folder…</Button>
          {emptyActions}
        </DropZone>
      )}
      {items.length > 0 && (
        <ul className={styles.items} aria-label="Uploads">
          {items.map((item) => (
            <li key={item.id}>
              <span className={styles.path}>
                {nameOf(item.path)}{' '}
                <span className={styles.place}>
                  in <FolderLink folder={folderOf(item.path)} />
                </span>
              </span>
              <UploadProgress item={item} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Where an upload goes: files can be dropped onto a folder of the list. */
const FolderLink = ({ folder }: { readonly folder: string }) => (
  <Link to="/files" search={folder === '' ? {} : { folder }}>
    {folderText(folder)}
  </Link>
);
