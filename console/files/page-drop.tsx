import Upload from 'lucide-react/icons/upload';
import { useUploads } from '../uploads/uploads-provider.tsx';
import { folderText } from './file-list.ts';
import styles from './page-drop.module.css';
import { usePageDrop } from './use-page-drop.ts';

/** Uploads files that are dropped anywhere on the page to a folder. Covers the page while files are dragged over it. */
export function PageDrop({ folder }: { readonly folder: string }) {
  const uploads = useUploads();
  const isOver = usePageDrop((dropped) => void dropped.then((files) => uploads.add(files, folder)));
  if (!isOver) return null;
  return (
    <div className={styles.over}>
      <p>
        <Upload /> Drop to upload to {folderText(folder)}
      </p>
    </div>
  );
}
