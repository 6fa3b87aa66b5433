import type { UploadItem } from './upload-item.ts';
import { UploadProgress } from './upload-progress.tsx';

interface UploadListProps {
  readonly items: readonly UploadItem[];
  readonly label: string;
  readonly className: string | undefined;
}

/** The paths of uploads and how far each is. Nothing if there are none. */
export function UploadList({ items, label, className }: UploadListProps) {
  if (items.length === 0) return null;
  return (
    <ul className={className} aria-label={label}>
      {items.map((item) => (
        <li key={item.id}>
          <span>{item.path}</span>
          <UploadProgress item={item} />
        </li>
      ))}
    </ul>
  );
}
