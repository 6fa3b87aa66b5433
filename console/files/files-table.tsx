import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { type MediaKind, mediaKind } from '../media/media-kind.ts';
import { formatBytes, formatMoment } from '../ui/format.ts';
import { type FileEntry, nameOf } from './file-list.ts';
import type { FileSearch } from './file-search.ts';
import styles from './files-table.module.css';

/** The height of a row in pixels, as in the style sheet. */
const ROW = 40;

/** The number of rendered rows above and below the window, so that fast scrolling shows no gap. */
const OVERSCAN = 12;

const KIND_NAMES: Readonly<Record<MediaKind, string>> = {
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  hls: 'Playlist',
  dash: 'Manifest',
  other: 'File',
};

/** The entries of a folder. Only the rows near the window are rendered. */
export function FilesTable({
  entries,
  open,
  search,
}: {
  readonly entries: readonly FileEntry[];
  /** The file whose details are shown. */
  readonly open: string | undefined;
  readonly search: FileSearch;
}) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above the table can change with its content.
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [entries]);
  const rows = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.path ?? index,
  });
  return (
    <div role="table" aria-label="Files" aria-rowcount={entries.length + 1} className={styles.table}>
      <div role="row" className={styles.head}>
        {['Name', 'Kind', 'Size', 'Changed'].map((name) => (
          <span role="columnheader" key={name}>
            {name}
          </span>
        ))}
      </div>
      <div ref={body} role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index];
          return entry === undefined ? null : (
            <Row key={key} entry={entry} index={index} top={start - top} isOpen={entry.path === open} search={search} />
          );
        })}
      </div>
    </div>
  );
}

const Row = memo(function Row({
  entry: { path, type, sizeBytes, modifiedAt },
  index,
  top,
  isOpen,
  search: { q: _, file: __, ...search },
}: {
  readonly entry: FileEntry;
  readonly index: number;
  readonly top: number;
  readonly isOpen: boolean;
  readonly search: FileSearch;
}) {
  const isFolder = type === 'folder';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-open={isOpen}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell" className={styles.name}>
        {isFolder ? (
          <Link to="/files" search={{ ...search, folder: path }}>
            {nameOf(path)}/
          </Link>
        ) : (
          <Link
            to="/files"
            search={(before) => ({ ...before, file: path })}
            resetScroll={false}
            aria-current={isOpen ? 'true' : undefined}
          >
            {nameOf(path)}
          </Link>
        )}
      </span>
      <span role="cell" className={styles.soft}>
        {isFolder ? 'Folder' : KIND_NAMES[mediaKind(path)]}
      </span>
      <span role="cell" className={styles.number}>
        {sizeBytes !== undefined && formatBytes(sizeBytes)}
      </span>
      <span role="cell" className={styles.soft}>
        {modifiedAt !== undefined && <time dateTime={modifiedAt}>{formatMoment(modifiedAt)}</time>}
      </span>
    </div>
  );
});
