import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Loading } from '../ui/loading.tsx';
import { nameOf, parentsOf } from './file-list.ts';
import { folderQuery } from './files-query.ts';
import styles from './move-dialog.module.css';
import { entriesText } from './move-targets.ts';

const titleOf = (folder: string): string => (folder === '' ? 'Media' : nameOf(folder));

/** Lets the user choose a folder for some entries, or name a new one. */
export function MoveDialog({
  paths,
  start,
  onMove,
  onClose,
}: {
  readonly paths: readonly string[];
  /** The folder that is shown first. */
  readonly start: string;
  readonly onMove: (folder: string) => void;
  readonly onClose: () => void;
}) {
  const [folder, setFolder] = useState(start);
  const { data, error } = useQuery(folderQuery(folder));
  const folders = (data?.entries ?? []).filter(({ type, path }) => type === 'folder' && !paths.includes(path));
  return (
    <FormDialog
      title={`Move ${entriesText(paths)}`}
      action={`Move to ${titleOf(folder)}`}
      isPending={false}
      error={error}
      onSend={(form) => {
        const name = String(form.get('newFolder') ?? '')
          .trim()
          .replace(/\/+$/, '');
        onMove(name === '' ? folder : `${folder}${name}/`);
        onClose();
      }}
      onClose={onClose}
    >
      <nav aria-label="Folder to move to" className={styles.crumbs}>
        {parentsOf(folder).map((path) => (
          <Button
            key={path}
            variant="quiet"
            aria-current={path === folder || undefined}
            onClick={() => setFolder(path)}
          >
            {titleOf(path)}
          </Button>
        ))}
      </nav>
      {data === undefined ? (
        error === null && <Loading />
      ) : (
        <ul className={styles.folders} aria-label={`Folders in ${titleOf(folder)}`}>
          {folders.map(({ path }) => (
            <li key={path}>
              <Button variant="quiet" onClick={() => setFolder(path)}>
                {nameOf(path)}/
              </Button>
            </li>
          ))}
          {folders.length === 0 && <li className={styles.none}>No folders here.</li>}
        </ul>
      )}
      <Field label={`New folder in ${titleOf(folder)} (optional)`} name="newFolder" />
    </FormDialog>
  );
}
