import type { UploadItem } from '../uploads/upload-item.ts';
import { UploadList } from '../uploads/upload-list.tsx';
import styles from './other-uploads.module.css';

/** Unfinished uploads that are not a source of the draft, for example because the user has cleared the draft. */
export function OtherUploads({ items }: { readonly items: readonly UploadItem[] }) {
  return <UploadList className={styles.list} label="Other uploads" items={items} />;
}
