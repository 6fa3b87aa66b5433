import type { UploadItem } from '../uploads/upload-item.ts';
import { UploadProgress } from '../uploads/upload-progress.tsx';
import styles from './other-uploads.module.css';

/** Unfinished uploads that are not a source of the draft, for example because the user has cleared the draft. */
export function OtherUploads({ items }: { readonly items: readonly UploadItem[] }) {
  if (items.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Other uploads">
      {items.map((item) => (
        <li key={item.id}>
          <span>{item.path}</span>
          <UploadProgress item={item} />
        </li>
      ))}
    </ul>
  );
}
