import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { isPreviewPath, PREVIEW_FOLDER } from '../preview/preview-job.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useUploads } from '../uploads/uploads-provider.tsx';
import { FileDetails } from './file-details.tsx';
import { arrangeFiles, nameOf, parentsOf } from './file-list.ts';
import { type FileSearch, SORTS } from './file-search.ts';
import { FilesGrid } from './files-grid.tsx';
import styles from './files-page.module.css';
import { folderQuery } from './files-query.ts';
import { FilesTable } from './files-table.tsx';
import { FolderUploads } from './folder-uploads.tsx';
import { UploadLinkDialog } from './upload-link-dialog.tsx';

const VIEWS = [
  { view: undefined, name: 'List' },
  { view: 'thumbnails', name: 'Thumbnails' },
] as const;

const SORT_NAMES = { name: 'By name', size: 'Largest first', modified: 'Newest first' } as const;

export function FilesPage() {
  const search = useSearch({ from: '/files' });
  const { folder = '', file, q = '', sort = 'name' } = search;
  const navigate = useNavigate({ from: '/files' });
  const queries = useQueryClient();
  const { data: session } = useSession();
  const mayWrite = mayDo(session, 'files:write');
  const whole = useQuery(folderQuery(folder));
  // If the list of a large folder is incomplete, the service searches for names that begin with the text.
  const isCut = whole.data?.isCut === true;
  const begun = useQuery({ ...folderQuery(folder, q), enabled: isCut && q !== '', placeholderData: keepPreviousData });
  const [asksForLink, setAsksForLink] = useState(false);
  const uploads = useUploads();
  const notice = useRef<HTMLDivElement>(null);
  const [deleted, setDeleted] = useState<string>();
  useEffect(() => {
    if (file !== undefined) setDeleted(undefined);
  }, [file]);
  const read = isCut && q !== '' ? (begun.data ?? whole.data) : whole.data;
  const error = whole.error ?? begun.error;
  const entries = read?.entries ?? [];
  // Hide the files of previews of the workbench, unless the user opens their folder.
  const isAtPreviews = isPreviewPath(folder.replace(/\/$/, ''));
  const own = isAtPreviews ? entries : entries.filter(({ path }) => !isPreviewPath(path));
  const shown = arrangeFiles(own, { q, sort });
  const isEmpty = read !== undefined && shown.length === 0 && q === '';
  const List = search.view === 'thumbnails' ? FilesGrid : FilesTable;
  const change = (changes: { readonly [Name in keyof FileSearch]: FileSearch[Name] | undefined }, replace = false) =>
    navigate({ search: (before: FileSearch) => omitEmpty({ ...before, ...changes } as FileSearch), replace });
  const refresh = () => queries.invalidateQueries({ queryKey: ['files'] });

  return (
    <>
      <div className={styles.bar}>
        <PageHeading>Files</PageHeading>
        <Breadcrumbs folder={folder} view={search.view} />
        <div className={styles.tools}>
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
            className={styles.search}
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
          <div role="group" aria-label="View" className={styles.views}>
            {VIEWS.map(({ view, name }) => (
              <Button
                key={name}
                variant="quiet"
                aria-pressed={search.view === view}
                onClick={() => void change({ view }, true)}
              >
                {name}
              </Button>
            ))}
          </div>
          {mayWrite && <Button onClick={() => setAsksForLink(true)}>Upload link…</Button>}
        </div>
      </div>
      {asksForLink && <UploadLinkDialog folder={folder} onClose={() => setAsksForLink(false)} />}
      {mayWrite && (
        <div className={styles.uploads}>
          <FolderUploads folder={folder} emptyText={isEmpty ? emptyText(folder) : undefined} onUploaded={refresh} />
        </div>
      )}
      {error !== null && <ProblemNotice error={error} onRetry={() => void refresh()} />}
      <div ref={notice} tabIndex={-1} role="status" className={styles.deleted}>
        {deleted?.startsWith(folder) && file === undefined && `${deleted} was deleted.`}
      </div>
      <div className={styles.content} data-details={file !== undefined}>
        <div className={styles.list}>
          {read === undefined ? (
            error === null && <Loading />
          ) : shown.length === 0 ? (
            !(isEmpty && mayWrite) && <NoFiles folder={folder} q={q} />
          ) : (
            <List entries={shown} open={file} search={search} />
          )}
          {own.length < entries.length && (
            <p className={styles.note}>
              The folder of previews is not listed.{' '}
              <Link to="/files" search={{ folder: `${PREVIEW_FOLDER}/` }}>
                Show it
              </Link>
            </p>
          )}
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
            focusAfter={notice}
            onDeleted={() => {
              setDeleted(file);
              uploads.removeDone(file);
              void refresh();
              void change({ file: '' }, true);
            }}
          />
        )}
      </div>
    </>
  );
}

/** Omits defaults, so that URLs are short. */
const omitEmpty = ({ folder, file, q, sort, view }: FileSearch): FileSearch => ({
  ...(folder && { folder }),
  ...(file && { file }),
  ...(q && { q }),
  ...(sort && sort !== 'name' && { sort }),
  ...(view && { view }),
});

function Breadcrumbs({ folder, view }: { readonly folder: string; readonly view: FileSearch['view'] }) {
  const parents = parentsOf(folder);
  return (
    <nav aria-label="Folders" className={styles.crumbs}>
      <ol>
        {parents.map((path, index) => (
          <li key={path}>
            <Link
              to="/files"
              search={{ ...(path !== '' && { folder: path }), ...(view && { view }) }}
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={index === parents.length - 1 ? 'location' : undefined}
            >
              {path === '' ? 'Media' : nameOf(path)}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const emptyText = (folder: string): string => (folder === '' ? 'There are no files yet.' : 'This folder is empty.');

function NoFiles({ folder, q }: { readonly folder: string; readonly q: string }) {
  if (q !== '') return <Empty>No name here contains “{q}”.</Empty>;
  return <Empty>{emptyText(folder)}</Empty>;
}
