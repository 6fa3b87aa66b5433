import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mediaFactsText } from '../media/media-facts.ts';
import { LinkCount } from '../share/link-count.tsx';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { onDragStart, useDropTarget } from './drag-entries.ts';
import { EntryMenu } from './entry-menu.tsx';
import { type FileEntry, nameOf } from './file-list.ts';
import type { FileSearch } from './file-search.ts';
import { FileThumbnail, useFileFacts } from './file-thumbnail.tsx';
import styles from './files-grid.module.css';
import type { FileListProps } from './files-table.tsx';
import { keepTextUnselected, type ListActions, onListClick, onListKey } from './list-actions.ts';
import { RenameField } from './rename-field.tsx';

/** How many entries are shown at first, and how many each click adds. */
const STEP = 60;

const THUMBNAIL_WIDTH = 320;

/** The entries of a folder as thumbnails: a frame of each video, the cover or the waveform of each audio file. */
export function FilesGrid({ entries, open, search, selected, links, watched, renaming, actions }: FileListProps) {
  const [count, setCount] = useState(STEP);
  return (
    <>
      <ul
        className={styles.grid}
        aria-label="Files"
        onClickCapture={(event) => onListClick(event, actions)}
        onKeyDown={(event) => onListKey(event, actions)}
        onDragStart={(event) => onDragStart(event, actions)}
        onMouseDown={keepTextUnselected}
      >
        {entries.slice(0, count).map((entry, index) => (
          <Item
            key={entry.path}
            entry={entry}
            index={index}
            isOpen={entry.path === open}
            isSelected={selected.has(entry.path)}
            links={links.get(entry.path) ?? 0}
            watchId={watched.get(entry.path)}
            isRenaming={entry.path === renaming}
            search={search}
            actions={actions}
          />
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

function Item({
  entry,
  index,
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
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly links: number;
  readonly watchId: string | undefined;
  readonly isRenaming: boolean;
  readonly search: FileSearch;
  readonly actions: ListActions;
}) {
  const { path, type, sizeBytes } = entry;
  const isFolder = type === 'folder';
  const drop = useDropTarget(isFolder && actions.mayWrite ? path : undefined, actions);
  const facts = mediaFactsText(useFileFacts(entry));
  const thumbnail = (
    <span className={styles.picture}>
      <FileThumbnail entry={entry} width={THUMBNAIL_WIDTH} className={styles.thumbnail} />
      {facts !== '' && (
        <span className={styles.facts} aria-hidden="true">
          {facts}
        </span>
      )}
    </span>
  );
  return (
    <li
      className={styles.item}
      data-path={path}
      data-index={index}
      data-selected={isSelected}
      draggable={actions.mayWrite && !isRenaming}
      {...drop}
    >
      <input
        type="checkbox"
        className={styles.check}
        aria-label={`Select ${nameOf(path)}`}
        checked={isSelected}
        readOnly
      />
      <span className={styles.menu}>
        <EntryMenu path={path} actions={actions} />
      </span>
      {isRenaming ? (
        <div className={styles.one}>
          {thumbnail}
          <RenameField path={path} onEnd={actions.endRename} />
        </div>
      ) : isFolder ? (
        <Link to="/files" search={{ ...search, folder: path }} className={styles.one}>
          {thumbnail}
          <span className={styles.name}>{nameOf(path)}/</span>
          {watchId !== undefined && <span className={styles.soft}>Watched</span>}
          {sizeBytes !== undefined && <span className={styles.soft}>{formatBytes(sizeBytes)}</span>}
        </Link>
      ) : (
        <Link
          to="/files"
          search={(before) => ({ ...before, file: path })}
          resetScroll={false}
          aria-current={isOpen ? 'true' : undefined}
          className={styles.one}
        >
          {thumbnail}
          <span className={styles.name}>{nameOf(path)}</span>
          <span className={styles.soft}>
            {facts !== '' && <span className="visually-hidden">{facts}, </span>}
            <LinkCount count={links} /> {sizeBytes !== undefined && formatBytes(sizeBytes)}
          </span>
        </Link>
      )}
    </li>
  );
}
