import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fileAddress } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { type FileEntry, nameOf } from './file-list.ts';
import type { FileSearch } from './file-search.ts';
import styles from './files-grid.module.css';

/** How many entries are shown at first, and how many each click adds. The service renders a thumbnail of each file. */
const STEP = 60;

const THUMBNAIL_WIDTH = 320;

interface Props {
  readonly entries: readonly FileEntry[];
  /** The file whose details are shown. */
  readonly open: string | undefined;
  readonly search: FileSearch;
}

/** The entries of a folder as thumbnails: a frame of each video, the waveform of each audio file. */
export function FilesGrid({ entries, open, search: { q: _, file: __, ...search } }: Props) {
  const [count, setCount] = useState(STEP);
  return (
    <>
      <ul className={styles.grid} aria-label="Files">
        {entries.slice(0, count).map(({ path, type, sizeBytes }) => (
          <li key={path}>
            {type === 'folder' ? (
              <Link to="/files" search={{ ...search, folder: path }} className={styles.one}>
                <span className={styles.folder} aria-hidden="true" />
                <span className={styles.name}>{nameOf(path)}/</span>
              </Link>
            ) : (
              <Link
                to="/files"
                search={(before) => ({ ...before, file: path })}
                resetScroll={false}
                aria-current={path === open ? 'true' : undefined}
                className={styles.one}
              >
                <Thumbnail path={path} />
                <span className={styles.name}>{nameOf(path)}</span>
                <span className={styles.soft}>{sizeBytes !== undefined && formatBytes(sizeBytes)}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
      {entries.length > count && (
        <Button className={styles.more} onClick={() => setCount(count + STEP)}>
          Show {Math.min(STEP, entries.length - count)} more of {entries.length.toLocaleString()}
        </Button>
      )}
    </>
  );
}

/** A thumbnail that the service renders. If there is none, shows the extension of the file. */
function Thumbnail({ path }: { readonly path: string }) {
  const [hasFailed, setFailed] = useState(false);
  const kind = mediaKind(path);
  const name = nameOf(path);
  if (hasFailed || kind === 'other')
    return (
      <span className={styles.blank} aria-hidden="true">
        {name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).slice(0, 8) : ''}
      </span>
    );
  const view = kind === 'audio' ? 'waveform' : 'frame';
  return (
    <img
      className={styles.thumbnail}
      data-view={view}
      alt=""
      loading="lazy"
      src={fileAddress(path)({ view, width: THUMBNAIL_WIDTH })}
      onError={() => setFailed(true)}
    />
  );
}
