import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { containerName } from '../media/container-name.ts';
import { type MediaKind, mediaKind } from '../media/media-kind.ts';
import { LinkCount } from '../share/link-count.tsx';
import { countText, formatBytes, formatDuration } from '../ui/format.ts';
import { LongName } from '../ui/long-name.tsx';
import { Moment } from '../ui/moment.tsx';
import { useMedia } from '../ui/use-media.ts';
import { onDragStart, useDropTarget } from './drag-entries.ts';
import { EntryMenu } from './entry-menu.tsx';
import { type FileEntry, nameOf } from './file-list.ts';
import type { FileSearch } from './file-search.ts';
import { FileThumbnail, useFileFacts } from './file-thumbnail.tsx';
import styles from './files-table.module.css';
import { keepTextUnselected, type ListActions, onListClick, onListKey } from './list-actions.ts';
import { RenameField } from './rename-field.tsx';

/** The height of a row in pixels, as in the style sheet. On a phone, each row has two lines. */
const ROW = 40;
const NARROW_ROW = 56;
const NARROW = '(width < 40rem)';

/** In a window of this width, there is no room for the frame size and the length. */
const MEDIUM = '(width < 60rem)';

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

/** The kind of a file with its format: `Video, MP4`. */
const kindText = (path: string): string =>
  [KIND_NAMES[mediaKind(path)], containerName(path)].filter(Boolean).join(', ');

/** The properties of a list of entries, as a table or as thumbnails. */
export interface FileListProps {
  readonly entries: readonly FileEntry[];
  /** The file whose details are shown. */
  readonly open: string | undefined;
  readonly search: FileSearch;
  readonly selected: ReadonlySet<string>;
  /** How many shared links to each file work. */
  readonly links: ReadonlyMap<string, number>;
  /** The ids of watches by the folders that they watch. */
  readonly watched: ReadonlyMap<string, string>;
  /** The entry whose name is being changed. */
  readonly renaming: string | undefined;
  readonly actions: ListActions;
}

/** The width of a thumbnail in pixels, for screens with two pixels per point. */
const THUMBNAIL_WIDTH = 96;

/** The columns by which the entries can be sorted. */
const COLUMNS = [
  { name: 'Name', sort: undefined },
  { name: 'Kind' },
  { name: 'Frame size' },
  { name: 'Length' },
  { name: 'Size', sort: 'size' },
  { name: 'Changed', sort: 'modified' },
] as const;

/** The entries of a folder. Only the rows near the window are rendered. */
export function FilesTable({ entries, open, search, selected, links, watched, renaming, actions }: FileListProps) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above the table can change with its content.
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [entries]);
  const height = useMedia(NARROW) ? NARROW_ROW : ROW;
  const isMedium = useMedia(MEDIUM);
  const rows = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => entries[index]?.path ?? index,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height makes all positions wrong.
  useLayoutEffect(() => rows.measure(), [rows, height]);
  return (
    <div
      role="table"
      aria-label="Files"
      aria-rowcount={entries.length + 1}
      className={styles.table}
      data-beside={open !== undefined || isMedium}
    >
      <div role="row" className={styles.head}>
        <span role="columnheader">
          <label>
            <input
              type="checkbox"
              aria-label={`Select all ${entries.length} entries of the list`}
              checked={selected.size > 0 && selected.size === entries.length}
              onChange={() => (selected.size === entries.length ? actions.clear() : actions.selectAll())}
            />
            <span className={styles.all}>Select all</span>
          </label>
        </span>
        {COLUMNS.map((column) => (
          <ColumnHeading key={column.name} column={column} search={search} />
        ))}
        <span role="columnheader">
          <span className="visually-hidden">Actions</span>
        </span>
      </div>
      <div
        ref={body}
        role="rowgroup"
        className={styles.body}
        style={{ height: rows.getTotalSize() }}
        onClickCapture={(event) => onListClick(event, actions)}
        onKeyDown={(event) => onListKey(event, actions)}
        onDragStart={(event) => onDragStart(event, actions)}
        onMouseDown={keepTextUnselected}
      >
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index];
          return entry === undefined ? null : (
            <Row
              key={key}
              entry={entry}
              index={index}
              top={start - top}
              isOpen={entry.path === open}
              isSelected={selected.has(entry.path)}
              links={links.get(entry.path) ?? 0}
              watchId={watched.get(entry.path)}
              isRenaming={entry.path === renaming}
              search={search}
              actions={actions}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The heading of a column. A click sorts by it, which the address keeps. */
function ColumnHeading({
  column,
  search: { sort, ...search },
}: {
  readonly column: (typeof COLUMNS)[number];
  readonly search: FileSearch;
}) {
  const navigate = useNavigate({ from: '/files' });
  const { name } = column;
  if (!('sort' in column)) return <span role="columnheader">{name}</span>;
  const isSorted = sort === column.sort;
  return (
    <span
      role="columnheader"
      aria-sort={isSorted ? (column.sort === undefined ? 'ascending' : 'descending') : undefined}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() =>
          void navigate({
            search: { ...search, ...(column.sort !== undefined && { sort: column.sort }) },
            replace: true,
            resetScroll: false,
          })
        }
      >
        {name}
        <span aria-hidden="true">{isSorted ? (column.sort === undefined ? ' ↑' : ' ↓') : ''}</span>
      </button>
    </span>
  );
}

const Row = memo(function Row({
  entry,
  index,
  top,
  isOpen,
  isSelected,
  links,
  watchId,
  isRenaming,
  search: { q: _, file: __, ...search },
  actions,
}: {
  readonly entry: FileEntry;
  readonly index: number;
  readonly top: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly links: number;
  /** The watch of this folder. */
  readonly watchId: string | undefined;
  readonly isRenaming: boolean;
  readonly search: FileSearch;
  readonly actions: ListActions;
}) {
  const { path, type, sizeBytes, modifiedAt } = entry;
  const isFolder = type === 'folder';
  const drop = useDropTarget(isFolder && actions.mayWrite ? path : undefined, actions);
  const { durationSeconds, size } = useFileFacts(entry) ?? {};
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      data-open={isOpen}
      data-selected={isSelected}
      data-path={path}
      data-index={index}
      draggable={actions.mayWrite && !isRenaming}
      style={{ transform: `translateY(${top}px)` }}
      {...drop}
    >
      <span role="cell">
        <input type="checkbox" aria-label={`Select ${nameOf(path)}`} checked={isSelected} readOnly />
      </span>
      <span role="cell" className={styles.name}>
        <FileThumbnail entry={entry} width={THUMBNAIL_WIDTH} className={styles.thumbnail} />
        {isRenaming ? (
          <RenameField path={path} onEnd={actions.endRename} />
        ) : isFolder ? (
          <Link to="/files" search={{ ...search, folder: path }}>
            {nameOf(path)}/
          </Link>
        ) : (
          <Link
            to="/files"
            search={(before) => ({ ...before, file: path })}
            resetScroll={false}
            aria-current={isOpen ? 'true' : undefined}
            title={nameOf(path)}
          >
            <LongName name={nameOf(path)} />
          </Link>
        )}
        {watchId !== undefined && !isRenaming && (
          <Link to="/watches/$watchId" params={{ watchId }} className={styles.links}>
            Watched
          </Link>
        )}
        {links > 0 && !isRenaming && (
          // After the name, which the arrow keys focus.
          <Link
            to="/files"
            search={(before) => ({ ...before, file: path })}
            resetScroll={false}
            className={styles.links}
            aria-label={`${countText(links, 'shared link')} to ${nameOf(path)}`}
          >
            <LinkCount count={links} />
          </Link>
        )}
      </span>
      <span role="cell" className={styles.soft}>
        {isFolder ? 'Folder' : kindText(path)}
      </span>
      <span role="cell" className={styles.number}>
        {size}
      </span>
      <span role="cell" className={styles.number}>
        {durationSeconds !== undefined && formatDuration(durationSeconds)}
      </span>
      <span role="cell" className={styles.number}>
        {sizeBytes !== undefined && formatBytes(sizeBytes)}
      </span>
      <span role="cell" className={styles.soft}>
        {modifiedAt !== undefined && <Moment at={modifiedAt} />}
      </span>
      <span role="cell">
        <EntryMenu path={path} actions={actions} />
      </span>
    </div>
  );
});
