import { useEffect } from 'react';
import { Button } from '../ui/button.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { pickFolder } from '../uploads/pick-folder.ts';
import { UploadProgress } from '../uploads/upload-progress.tsx';
import { useUploadItems, useUploads } from '../uploads/uploads-provider.tsx';
import styles from './folder-uploads.module.css';

/**
 * Uploads files to a folder, and shows their progress. `emptyText`: the text for an empty folder; the drop area then replaces the list.
 * `onUploaded`: called after each finished upload.
 */
export function FolderUploads({
  folder,
  emptyText,
  onUploaded,
}: {
  readonly folder: string;
  readonly emptyText: string | undefined;
  readonly onUploaded: () => void;
}) {
  const uploads = useUploads();
  const items = useUploadItems();
  const done = items.filter(({ state }) => state === 'done').length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is read again when the number of uploads that are done rises.
  useEffect(() => {
    if (done > 0) onUploaded();
  }, [done]);
  return (
    <div className={styles.uploads}>
      <DropZone
        isLine={emptyText === undefined}
        label={
          emptyText === undefined
            ? 'Drop files here to upload them to this folder'
            : `${emptyText} Drop files here to upload them.`
        }
        onFiles={(files) => uploads.add(files, folder)}
      >
        <Button onClick={() => pickFolder((files) => uploads.add(files, folder))}>Choose a folder…</Button>
      </DropZone>
      {items.length > 0 && (
        <ul className={styles.items} aria-label="Uploads">
          {items.map((item) => (
            <li key={item.id}>
              <span className={styles.path}>{item.path}</span>
              <UploadProgress item={item} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
