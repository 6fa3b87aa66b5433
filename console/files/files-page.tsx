import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import Download from 'lucide-react/icons/download';
import Eye from 'lucide-react/icons/eye';
import FolderPlus from 'lucide-react/icons/folder-plus';
import Link2 from 'lucide-react/icons/link-2';
import SearchX from 'lucide-react/icons/search-x';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect, useMemo, useRef, useState } from 'react';
import { withSlash } from '../../packages/contract/src/domain/media-path.ts';
import { isPreviewPath, PREVIEW_FOLDER } from '../preview/preview-job.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { linkCountsQuery } from '../share/shares-query.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Floating, SelectionBar } from '../ui/floating.tsx';
import { Loading } from '../ui/loading.tsx';
import { Menu } from '../ui/menu.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Segments } from '../ui/segments.tsx';
import { UndoNotice } from '../ui/undo-notice.tsx';
import { useUploads } from '../uploads/uploads-provider.tsx';
import { useWatchedFolders } from '../watches/use-watched-folders.ts';
import { BinList } from './bin-list.tsx';
import { binQuery } from './bin-query.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { useDropTarget } from './drag-entries.ts';
import { FileDetails } from './file-details.tsx';
import { arrangeFiles, type FileEntry, listText, nameOf, parentsOf } from './file-list.ts';
import { type FileSearch, SORTS } from './file-search.ts';
import { NOTHING_SELECTED, selectAll, selectEntry, selectedOf } from './file-selection.ts';
import { FilesGrid } from './files-grid.tsx';
import styles from './files-page.module.css';
import { folderQuery } from './files-query.ts';
import { FilesTable } from './files-table.tsx';
import { useFolderSizes } from './folder-sizes.ts';
import { FolderUploads } from './folder-uploads.tsx';
import { focusEntry, type ListActions } from './list-actions.ts';
import { MoveDialog } from './move-dialog.tsx';
import { entriesText, movesInto, renamed } from './move-targets.ts';
import { NewFolderDialog } from './new-folder-dialog.tsx';
import { PageDrop } from './page-drop.tsx';
import { SelectionConvert } from './selection-convert.tsx';
import { SelectionDownload } from './selection-download.tsx';
import { UploadLinkDialog } from './upload-link-dialog.tsx';
import { UploadMenu } from './upload-menu.tsx';
import { useFileActions } from './use-file-actions.ts';
import { useLatest } from './use-latest.ts';
import { zipOfSelection } from './zip-paths.ts';

const VIEWS = [
  { value: undefined, name: 'List' },
  { value: 'thumbnails', name: 'Thumbnails' },
] as const;

const NO_ENTRIES: readonly FileEntry[] = [];
const NO_LINKS: ReadonlyMap<string, number> = new Map();

const SORT_NAMES = { name: 'By name', size: 'Largest first', modified: 'Newest first' } as const;

export function FilesPage() {
  const search = useSearch({ from: '/files' });
  const { folder = '', file, q = '', sort = 'name' } = search;
  const navigate = useNavigate({ from: '/files' });
  const { data: session } = useSession();
  const mayWrite = mayDo(session, 'files:write');
  const whole = useQuery(folderQuery(folder));
  // If the list of a large folder is incomplete, the service searches for names that begin with the text.
  const isCut = whole.data?.isCut === true;
  const begun = useQuery({ ...folderQuery(folder, q), enabled: isCut && q !== '', placeholderData: keepPreviousData });
  const [dialog, setDialog] = useState<'upload link' | 'new folder' | 'move' | 'delete'>();
  const uploads = useUploads();
  const { notice, setNotice, refresh, move, remove, restore, showReplaced, download } = useFileActions((moves) => {
    const to = moves.find(({ from }) => from === file)?.to;
    if (to !== undefined) void change({ file: to }, true);
  });
  const noticeElement = useRef<HTMLDivElement>(null);
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const [renaming, setRenaming] = useState<string>();
  const read = isCut && q !== '' ? (begun.data ?? whole.data) : whole.data;
  const error = whole.error ?? begun.error;
  const entries = read?.entries ?? NO_ENTRIES;
  // Hide the files of previews of the workbench, unless the user opens their folder.
  const isAtPreviews = isPreviewPath(folder.replace(/\/$/, ''));
  const own = useMemo(
    () => (isAtPreviews ? entries : entries.filter(({ path }) => !isPreviewPath(path))),
    [entries, isAtPreviews],
  );
  const sized = useFolderSizes(folder, own, sort === 'size');
  const shown = useMemo(() => arrangeFiles(sized, { q, sort }), [sized, q, sort]);
  const hasPreviews = own.length < entries.length;
  const isBin = search.bin === true;
  const isEmpty = read !== undefined && shown.length === 0 && q === '';
  const mayUpload = mayWrite && !isBin;
  const isDownloadable = folder !== '' && shown.length > 0;
  const List = search.view === 'thumbnails' ? FilesGrid : FilesTable;
  const change = (changes: Changes, replace = false) =>
    navigate({ search: (before: FileSearch) => omitEmpty({ ...before, ...changes }), replace });
  const close = (): void => setDialog(undefined);
  const { data: bin } = useQuery({ ...binQuery, enabled: mayWrite });
  const { data: links } = useQuery({
    ...linkCountsQuery(mayDo(session, 'admin') ? session?.clientId : undefined),
    enabled: mayDo(session, 'files:read'),
  });
  const watched = useWatchedFolders();
  const watchId = isBin ? undefined : watched.get(folder === '' ? '/' : folder);
  const isKept = bin !== undefined && bin.keepSeconds !== 0;
  /** Removes deleted entries from the selection, the finished uploads and the details. */
  const forget = (deleted: readonly string[]): void => {
    // Otherwise, they would be selected again after an undo.
    setSelection(NOTHING_SELECTED);
    for (const path of deleted) uploads.removeDone(path);
    if (file !== undefined && deleted.some((path) => file === path || file.startsWith(withSlash(path))))
      void change({ file: '' }, true);
    // The button with the focus may be gone.
    noticeElement.current?.focus();
  };
  const removeAll = (paths: readonly string[]): void => {
    if (isKept) void remove(paths, forget);
    else setDialog('delete');
  };
  const chosenPaths = useMemo(() => selectedOf(selection, shown).map(({ path }) => path), [selection, shown]);
  const selected = useMemo(() => new Set(chosenPaths), [chosenPaths]);
  // A file that is shown has a main action of its own.
  const isUploadNext = file === undefined && chosenPaths.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another folder, and the bin, have other entries.
  useEffect(() => {
    setSelection(NOTHING_SELECTED);
    setRenaming(undefined);
  }, [folder, isBin]);
  const latest = useLatest({ listed: shown.map(({ path }) => path), chosenPaths, move, removeAll, download });
  const actions = useMemo(
    (): ListActions => ({
      mayWrite,
      select: (path, how) => setSelection((before) => selectEntry(before, latest.current.listed, path, how)),
      selectAll: () => setSelection(selectAll(latest.current.listed)),
      clear: () => setSelection(NOTHING_SELECTED),
      startRename: setRenaming,
      endRename: (path, name) => {
        setRenaming(undefined);
        const change = name === undefined ? undefined : renamed(path, name);
        if (change === undefined) return focusEntry(path);
        latest.current.move([change], 'Renamed');
        setSelection({ paths: new Set([change.to]), anchor: change.to });
      },
      remove: (path) => {
        const isChosen = latest.current.chosenPaths.includes(path);
        if (!isChosen) setSelection({ paths: new Set([path]), anchor: path });
        latest.current.removeAll(isChosen ? latest.current.chosenPaths : [path]);
      },
      dragged: (path) => (latest.current.chosenPaths.includes(path) ? latest.current.chosenPaths : [path]),
      moveInto: (paths, target) => latest.current.move(movesInto(paths, target)),
      uploadInto: (dropped, target) => void dropped.then((files) => uploads.add(files, target)),
      startMove: (path) => {
        setSelection({ paths: new Set([path]), anchor: path });
        setDialog('move');
      },
      downloadFolder: (path) => void latest.current.download([path], `${nameOf(path)}/`),
    }),
    [mayWrite, latest, uploads],
  );

  return (
    <>
      {isBin ? (
        <header>
          <BackLink to="/files" search={omitEmpty({ ...search, bin: undefined })}>
            Files
          </BackLink>
          <PageHeading>Bin</PageHeading>
        </header>
      ) : (
        <div className={styles.bar}>
          <PageHeading>Files</PageHeading>
          <Breadcrumbs folder={folder} view={search.view} actions={actions} />
          <div className={styles.tools} data-empty={isEmpty}>
            {/* An empty folder has nothing to search, sort or show in another way. */}
            {!isEmpty && (
              <>
                <input
                  type="search"
                  aria-keyshortcuts="/"
                  className={styles.search}
                  aria-label="Search this folder"
                  placeholder="Search this folder"
                  value={q}
                  onChange={({ currentTarget }) => void change({ q: currentTarget.value }, true)}
                />
                <select
                  className={`${styles.search} ${styles.order}`}
                  data-has-headings={search.view === undefined}
                  aria-label="Order"
                  value={sort}
                  onChange={({ currentTarget }) =>
                    void change({ sort: SORTS.find((one) => one === currentTarget.value) ?? 'name' }, true)
                  }
                >
                  {SORTS.map((each) => (
                    <option key={each} value={each}>
                      {SORT_NAMES[each]}
                    </option>
                  ))}
                </select>
                <Segments
                  label="View"
                  options={VIEWS}
                  value={search.view}
                  onChoose={(view) => void change({ view }, true)}
                />
              </>
            )}
            {isKept && (
              <Button className={styles.bin} onClick={() => void change({ bin: true, file: '' })}>
                <Trash2 /> Bin
                {bin.entries.length > 0 && ` (${bin.entries.length.toLocaleString()})`}
              </Button>
            )}
            {(mayWrite || isDownloadable || hasPreviews) && (
              <Menu label="More for this folder">
                {mayWrite && (
                  <Button onClick={() => setDialog('new folder')}>
                    <FolderPlus /> New folder…
                  </Button>
                )}
                {mayWrite && (
                  <Button onClick={() => setDialog('upload link')}>
                    <Link2 /> Upload link…
                  </Button>
                )}
                {isDownloadable && (
                  <Button onClick={() => void download([folder], `${nameOf(folder)}/`)}>
                    <Download /> Download folder
                  </Button>
                )}
                {mayWrite && (
                  <Link to="/operate/shares">
                    <Link2 /> All links
                  </Link>
                )}
                {hasPreviews && (
                  <Link to="/files" search={{ folder: `${PREVIEW_FOLDER}/` }}>
                    <Eye /> Show the files of previews
                  </Link>
                )}
              </Menu>
            )}
          </div>
          {mayUpload && read !== undefined && !isEmpty && <UploadMenu folder={folder} isNext={isUploadNext} />}
        </div>
      )}
      {mayUpload && <PageDrop folder={folder} />}
      {dialog === 'upload link' && <UploadLinkDialog folder={folder} onClose={close} />}
      {dialog === 'new folder' && (
        <NewFolderDialog
          folder={folder}
          onCreated={(path) => {
            setNotice({ text: `Created ${nameOf(path)}/.` });
            setSelection({ paths: new Set([path]), anchor: path });
            void refresh();
          }}
          onClose={close}
        />
      )}
      {dialog === 'move' && (
        <MoveDialog
          paths={chosenPaths}
          start={folder}
          onMove={(target) => actions.moveInto(chosenPaths, target)}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog
          paths={chosenPaths}
          onDeleted={(deleted) => {
            setNotice({ text: `Deleted ${entriesText(deleted)}.` });
            forget(deleted);
            void refresh();
          }}
          onClose={close}
        />
      )}
      {mayUpload && (
        <div className={styles.uploads}>
          <FolderUploads
            folder={folder}
            emptyText={isEmpty ? emptyText(folder) : undefined}
            emptyNote={emptyNote(folder)}
            emptyActions={
              <>
                <Button onClick={() => setDialog('upload link')}>Let others upload…</Button>
                {folder === '' && (
                  <Link to="/" className={buttonClass('plain')}>
                    Convert from a URL
                  </Link>
                )}
              </>
            }
            isNext={isUploadNext}
            onUploaded={refresh}
            onReplaced={showReplaced}
          />
        </div>
      )}
      {watchId !== undefined && (
        <p className={styles.note}>
          This folder is{' '}
          <Link to="/watches/$watchId" params={{ watchId }}>
            watched
          </Link>
          .
        </p>
      )}
      {error !== null && <ProblemNotice error={error} onRetry={() => void refresh()} />}
      <div className={styles.content} data-details={file !== undefined}>
        <div className={styles.list}>
          {isBin ? (
            <BinList
              mayWrite={mayWrite}
              onRestore={(entry) => restore([entry])}
              onPurged={(text) => setNotice({ text })}
            />
          ) : read === undefined ? (
            error === null && <Loading />
          ) : shown.length === 0 ? (
            !(isEmpty && mayWrite) && <NoFiles folder={folder} q={q} onSearchAll={() => void change({ q: '' }, true)} />
          ) : (
            <List
              entries={shown}
              open={file}
              search={search}
              selected={selected}
              links={links ?? NO_LINKS}
              watched={watched}
              renaming={renaming}
              actions={actions}
            />
          )}
          {!isBin && shown.length > 0 && <p className={styles.note}>{listText(shown)}</p>}
          {isCut && (
            <p className={styles.note}>
              The folder has more than {whole.data?.entries.length.toLocaleString()} entries. The search also finds the
              others, by the beginning of their names.
            </p>
          )}
        </div>
        {file !== undefined && (
          <FileDetails
            key={file}
            path={file}
            entry={whole.data?.entries.find(({ path }) => path === file)}
            mayDelete={mayWrite}
            onKeep={isKept ? () => remove([file], forget) : undefined}
            focusAfter={noticeElement}
            onDeleted={() => {
              setNotice({ text: `Deleted ${nameOf(file)}.` });
              uploads.removeDone(file);
              void refresh();
              void change({ file: '' }, true);
            }}
          />
        )}
      </div>
      <Floating>
        <UndoNotice notice={notice} onClose={() => setNotice(undefined)} ref={noticeElement} />
        {chosenPaths.length > 0 && !isBin && (
          <SelectionBar label="Selected files" count={chosenPaths.length} onClear={actions.clear}>
            {mayWrite && chosenPaths.length === 1 && (
              <Button onClick={() => setRenaming(chosenPaths[0])}>Rename</Button>
            )}
            {mayWrite && <Button onClick={() => setDialog('move')}>Move…</Button>}
            <SelectionConvert paths={chosenPaths} />
            <SelectionDownload
              paths={chosenPaths}
              onZip={() =>
                void download(zipOfSelection(chosenPaths, isCut ? undefined : entries.length), entriesText(chosenPaths))
              }
            />
            {mayWrite && (
              <Button variant="danger" onClick={() => removeAll(chosenPaths)}>
                {isKept ? 'Delete' : 'Delete…'}
              </Button>
            )}
          </SelectionBar>
        )}
      </Floating>
    </>
  );
}

type Changes = { readonly [Name in keyof FileSearch]: FileSearch[Name] | undefined };

/** Omits defaults, so that URLs are short. */
const omitEmpty = ({ folder, file, q, sort, view, bin }: Changes): FileSearch => ({
  ...(folder && { folder }),
  ...(file && { file }),
  ...(q && { q }),
  ...(sort && sort !== 'name' && { sort }),
  ...(view && { view }),
  ...(bin && { bin }),
});

function Breadcrumbs({
  folder,
  view,
  actions,
}: {
  readonly folder: string;
  readonly view: FileSearch['view'];
  readonly actions: ListActions;
}) {
  const parents = parentsOf(folder);
  // In the media root, there is no way up.
  if (parents.length === 1) return null;
  return (
    <nav aria-label="Folders" className={styles.crumbs}>
      <ol>
        {parents.map((path, index) => (
          <Crumb key={path} path={path} view={view} isLast={index === parents.length - 1} actions={actions} />
        ))}
      </ol>
    </nav>
  );
}

/** A link to a folder above the list. Entries that are dropped onto it move there, and files are uploaded to it. */
function Crumb({
  path,
  view,
  isLast,
  actions,
}: {
  readonly path: string;
  readonly view: FileSearch['view'];
  readonly isLast: boolean;
  readonly actions: ListActions;
}) {
  const drop = useDropTarget(actions.mayWrite && !isLast ? path : undefined, actions);
  return (
    <li {...drop}>
      <Link
        to="/files"
        search={{ ...(path !== '' && { folder: path }), ...(view && { view }) }}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={isLast ? 'location' : undefined}
      >
        {path === '' ? 'Media' : nameOf(path)}
      </Link>
    </li>
  );
}

const emptyText = (folder: string): string => (folder === '' ? 'There are no files yet.' : 'This folder is empty.');

const emptyNote = (folder: string): string =>
  folder === ''
    ? 'What you upload and what your jobs write is listed here.'
    : 'What is uploaded to it, and what jobs write into it, is listed here.';

function NoFiles({
  folder,
  q,
  onSearchAll,
}: {
  readonly folder: string;
  readonly q: string;
  readonly onSearchAll: () => void;
}) {
  if (q !== '')
    return (
      <Empty
        icon={SearchX}
        title={`No name here contains “${q}”.`}
        actions={<Button onClick={onSearchAll}>Show all files</Button>}
      >
        Only the names of this folder are searched, not those of the folders in it.
      </Empty>
    );
  return <Empty title={emptyText(folder)}>{emptyNote(folder)}</Empty>;
}
