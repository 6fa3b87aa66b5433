import { fileAddress } from '../media/media-address.ts';
import { type MediaFacts, rememberFacts, useMediaFacts } from '../media/media-facts.ts';
import { mediaKind } from '../media/media-kind.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import { extensionOf, type FileEntry } from './file-list.ts';
import styles from './file-thumbnail.module.css';

/** Changes with the content of a file. */
const versionOf = ({ modifiedAt, sizeBytes }: FileEntry): string => `${modifiedAt} ${sizeBytes}`;

const keyOf = (entry: FileEntry): string => `${entry.path} ${versionOf(entry)}`;

/** The duration and the picture size of a file, which come with its thumbnail. undefined: not yet known, or not a media file. */
export const useFileFacts = (entry: FileEntry): MediaFacts | undefined => useMediaFacts(keyOf(entry));

/** The thumbnail of a file, or the icon of a folder. */
export function FileThumbnail({
  entry,
  width,
  className = '',
}: {
  readonly entry: FileEntry;
  readonly width: number;
  readonly className?: string | undefined;
}) {
  const { path, type } = entry;
  const isKnown = useFileFacts(entry) !== undefined;
  if (type === 'folder') return <span className={`${styles.folder} ${className}`} aria-hidden="true" />;
  return (
    <Thumbnail
      kind={mediaKind(path)}
      address={fileAddress(path)}
      width={width}
      version={versionOf(entry)}
      label={extensionOf(path)}
      className={className}
      onReply={isKnown ? undefined : (headers) => rememberFacts(keyOf(entry), headers)}
    />
  );
}
