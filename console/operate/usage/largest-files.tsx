import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { LargestFiles as Largest } from '@telecine/client';
import { type ReactNode, useRef } from 'react';
import { client } from '../../app/client.ts';
import { folderOf, nameOf, parentsOf } from '../../files/file-list.ts';
import { useSession } from '../../session/use-session.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { countText, formatBytes } from '../../ui/format.ts';
import { QueryState } from '../../ui/query-state.tsx';
import { clientsQuery } from '../clients/clients-query.ts';
import styles from '../operate-page.module.css';
import { pathInRoot } from './path-in-root.ts';
import usageStyles from './usage-page.module.css';
import { type DeleteActions, type RowState, useFrozenRows } from './use-frozen-rows.ts';

/** What is counted. The service does not count files that others have put into the folder of a client. */
const ALL = 'All files';

const largestQuery = (of: string | undefined, folder: string | undefined) =>
  queryOptions({
    queryKey: ['largest files', of, folder],
    queryFn: ({ signal }) =>
      client.largestFiles({ signal, ...(of !== undefined && { client: of }), ...(folder !== undefined && { folder }) }),
  });

/**
 * The largest folders and files of a client. `of`: absent for the signed-in client. `actions`: absent if the signed-in client may delete
 * nothing.
 */
export function LargestFiles({
  of,
  actions,
}: {
  readonly of: string | undefined;
  readonly actions: DeleteActions | undefined;
}) {
  const { folder } = useSearch({ from: '/operate/usage' });
  const largest = useQuery({ ...largestQuery(of, folder), placeholderData: keepPreviousData });
  return (
    <section className={styles.section} aria-label="Largest folders and files">
      <h2>Largest folders and files</h2>
      <QueryState query={largest}>
        {(data) => <Found key={`${data.client}/${data.folder}`} largest={data} actions={actions} />}
      </QueryState>
    </section>
  );
}

function Found({ largest, actions }: { readonly largest: Largest; readonly actions: DeleteActions | undefined }) {
  const { client: of, folder, files, bytes } = largest;
  const { data: session } = useSession();
  const isOwn = session?.clientId === of;
  const { place, isOutside } = usePlace(of);
  const { rows, stateOf, canUndo, remove, undo } = useFrozenRows(largest, actions, (path) => `${place ?? ''}${path}`);
  const { largestFolders, largestFiles } = rows;
  const hasRows = largestFolders.length + largestFiles.length > 0;
  const actionsOf = (path: string, link?: ReactNode): ReactNode => (
    <RowActions
      path={path}
      state={stateOf(path)}
      link={link}
      onDelete={actions && (() => void remove(path))}
      onUndo={canUndo(path) ? () => void undo(path) : undefined}
      {...(actions?.isKept === true && { title: 'Moves to your bin' })}
    />
  );
  return (
    <>
      <p className={styles.soft} hidden={!hasRows && folder === ''}>
        {parentsOf(folder).map((parent) => (
          <span key={parent}>
            {parent === folder ? (
              <strong>{parent === '' ? ALL : nameOf(parent)}</strong>
            ) : (
              <FolderLink of={of} folder={parent} />
            )}
            {parent === folder ? ': ' : ' / '}
          </span>
        ))}
        {formatBytes(bytes)} in {countText(files, 'file')}.{' '}
        {place !== undefined && hasRows && (
          <Link to="/files" search={{ ...(place + folder && { folder: place + folder }), sort: 'size' }}>
            Show the folder, largest first
          </Link>
        )}
        {place !== undefined && hasRows && actions?.isKept === true && '. “Delete” moves to your bin.'}
      </p>
      {largestFolders.length > 0 && (
        <DataTable
          label="Largest folders"
          rows={largestFolders}
          keyOf={({ path }) => path}
          empty=""
          columns={[
            {
              name: 'Folder',
              cell: ({ path }) => (stateOf(path) === undefined ? <FolderLink of={of} folder={path} /> : nameOf(path)),
            },
            { name: 'Files', isNumber: true, cell: (one) => one.files.toLocaleString() },
            { name: 'Size', isNumber: true, isBesideName: true, cell: (one) => formatBytes(one.bytes) },
            ...(place === undefined
              ? []
              : [
                  {
                    name: '',
                    cell: ({ path }: Largest['largestFolders'][number]) =>
                      actionsOf(
                        path,
                        <Link to="/files" search={{ folder: place + path, sort: 'size' }}>
                          Open<span className="visually-hidden"> {nameOf(path)}</span> in Files
                        </Link>,
                      ),
                  },
                ]),
          ]}
        />
      )}
      {isOutside && files > 0 && (
        <p className={styles.soft}>
          The files are in the folder of {of}, outside of yours. What a job has written is also on its page:{' '}
          <Link to="/jobs" search={{ client: of }}>
            jobs of {of}
          </Link>
          .
        </p>
      )}
      <DataTable
        label="Largest files"
        rows={largestFiles}
        keyOf={({ path }) => path}
        empty={
          <>
            <p>
              <strong>Nothing stored yet.</strong>
            </p>
            <p>Uploads and results will be listed by size. Files that came in another way are not counted.</p>
            {isOwn && (
              <Link to="/files" search={{ ...(folder && { folder }) }} className={buttonClass('primary')}>
                Upload files
              </Link>
            )}
          </>
        }
        columns={[
          {
            name: 'File',
            cell: ({ path }) =>
              place === undefined || stateOf(path) !== undefined ? path : <FileLink path={path} at={place + path} />,
          },
          { name: 'Size', isNumber: true, isBesideName: true, cell: (one) => formatBytes(one.bytes) },
          ...(place === undefined || actions === undefined
            ? []
            : [{ name: '', cell: ({ path }: Largest['largestFiles'][number]) => actionsOf(path) }]),
        ]}
      />
    </>
  );
}

/** What can be done with a row, or what became of it. `link`: where the row can be opened. */
function RowActions({
  path,
  state,
  link,
  title,
  onDelete,
  onUndo,
}: {
  readonly path: string;
  readonly state: RowState | undefined;
  readonly link: ReactNode;
  readonly title?: string;
  readonly onDelete: (() => void) | undefined;
  readonly onUndo: (() => void) | undefined;
}) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <span className={usageStyles.rowActions}>
      {state === undefined && link}
      {onUndo !== undefined && (
        <Button
          variant="quiet"
          aria-label={`Undo: delete ${path}`}
          onClick={() => {
            // The pressed button is removed, so another one gets the focus.
            button.current?.focus();
            onUndo();
          }}
        >
          Undo
        </Button>
      )}
      {/* It stays after the press, and with it the focus. */}
      {onDelete !== undefined && (
        <Button
          ref={button}
          variant="quiet"
          title={state === undefined ? title : undefined}
          aria-label={`${state === undefined ? 'Delete' : `${state}:`} ${path}`}
          aria-disabled={state !== undefined}
          onClick={state === undefined ? onDelete : undefined}
        >
          {state ?? 'Delete'}
        </Button>
      )}
    </span>
  );
}

/**
 * Where the folder of a client is for the signed-in client: '' or a path with a slash at its end. undefined: not in its folder, so its files
 * cannot be opened, or not known yet.
 */
function usePlace(of: string): { readonly place?: string | undefined; readonly isOutside?: boolean } {
  const { data: session } = useSession();
  const isOwn = session?.clientId === of;
  const clients = useQuery({ ...clientsQuery, enabled: session != null && !isOwn }).data?.clients;
  if (isOwn) return { place: '' };
  if (clients === undefined) return {};
  const rootOf = (client: string | undefined) => clients.find(({ clientId }) => clientId === client)?.root;
  const [root, own] = [rootOf(of), rootOf(session?.clientId)];
  const place = root === undefined || own === undefined ? undefined : pathInRoot(root, own);
  return { place, isOutside: place === undefined };
}

/** The link to a file. `path`: its path for the client whose file it is. `at`: its path for the signed-in client. */
function FileLink({ path, at }: { readonly path: string; readonly at: string }) {
  return (
    <Link to="/files" search={{ ...(folderOf(at) && { folder: folderOf(at) }), file: at }}>
      {path}
    </Link>
  );
}

function FolderLink({ of, folder }: { readonly of: string; readonly folder: string }) {
  return (
    <Link to="/operate/usage" search={{ client: of, ...(folder && { folder }) }}>
      {folder === '' ? ALL : nameOf(folder)}
    </Link>
  );
}
