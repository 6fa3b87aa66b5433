import { fileAddress } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import { extensionOf, type FileEntry } from './file-list.ts';
import styles from './file-thumbnail.module.css';

/** The thumbnail of a file, or the icon of a folder. */
export function FileThumbnail({
  entry: { path, type, modifiedAt, sizeBytes },
  width,
  className = '',
}: {
  readonly entry: FileEntry;
  readonly width: number;
  readonly className?: string | undefined;
}) {
  if (type === 'folder') return <span className={`${styles.folder} ${className}`} aria-hidden="true" />;
  return (
    <Thumbnail
      kind={mediaKind(path)}
      address={fileAddress(path)}
      width={width}
      version={`${modifiedAt} ${sizeBytes}`}
      label={extensionOf(path)}
      className={className}
    />
  );
}
