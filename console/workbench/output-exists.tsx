import { Button } from '../ui/button.tsx';
import { nextPath } from '../uploads/upload-item.ts';
import { SHARED } from './change-draft.ts';
import styles from './output-exists.module.css';
import { useDraft } from './use-draft.tsx';
import { useMessages } from './use-messages.tsx';

/** The choices if a file exists at the path of an output. `path`: the path of the output. undefined: the user cannot change it. */
export function OutputExists({ id, path }: { readonly id: string; readonly path: string | undefined }) {
  const { change } = useDraft();
  if (!useMessages(id).warnings.some(({ code }) => code === 'OUTPUT_EXISTS')) return null;
  const other = path === undefined ? undefined : nextPath(path);
  return (
    <div className={styles.ways}>
      {other !== undefined && (
        <Button onClick={() => change({ do: 'change-output', id, output: { output: other } })}>Write {other}</Button>
      )}
      <Button onClick={() => change({ do: 'add-row', list: SHARED, name: 'y' })}>Replace it</Button>
    </div>
  );
}
