import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Bin } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { formatBytes, formatLifetime } from '../ui/format.ts';
import { Loading } from '../ui/loading.tsx';
import { Moment } from '../ui/moment.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './bin-list.module.css';
import { binQuery } from './bin-query.ts';
import { binText, entryName, namesText } from './bin-text.ts';
import { folderOf, nameOf } from './file-list.ts';
import { entriesText } from './move-targets.ts';
import { rowsInPlaces } from './rows-in-places.ts';
import { STORED_QUERIES } from './stored-queries.ts';

type Entry = Bin['entries'][number];

/** The rows at the last press of "Restore", and what became of the pressed entries. These rows keep their places until the bin is left. */
interface FrozenRows {
  readonly rows: readonly Entry[];
  readonly states: ReadonlyMap<string, 'Restoring…' | 'Restored'>;
}

const NO_FROZEN_ROWS: FrozenRows = { rows: [], states: new Map() };

/**
 * The deleted and replaced files of the client, which can be restored. `onRestore`: restores an entry, says so, and
 * resolves to whether it was restored. `onPurged`: called with what was deleted permanently, in words.
 */
export function BinList({
  mayWrite,
  onRestore,
  onPurged,
}: {
  readonly mayWrite: boolean;
  readonly onRestore: (entry: Entry) => Promise<boolean>;
  readonly onPurged: (text: string) => void;
}) {
  const { data: session } = useSession();
  const { data, error, refetch } = useQuery(binQuery);
  const queries = useQueryClient();
  const [frozen, setFrozen] = useState(NO_FROZEN_ROWS);
  if (data === undefined)
    return error === null ? <Loading /> : <ProblemNotice error={error} onRetry={() => void refetch()} />;
  const { entries, sizeBytes, keepSeconds } = data;
  const rows = rowsInPlaces(
    frozen.rows,
    entries,
    ({ entryId }) => entryId,
    (entry) => (frozen.states.has(entry.entryId) ? entry : undefined),
  );
  const restored = rows.flatMap(({ entryId, path }) => (frozen.states.get(entryId) === 'Restored' ? path : []));
  const restore = async (entry: Entry): Promise<void> => {
    setFrozen(({ states }) => ({ rows, states: new Map(states).set(entry.entryId, 'Restoring…') }));
    const isRestored = await onRestore(entry);
    setFrozen((now) => {
      const states = new Map(now.states);
      if (isRestored) states.set(entry.entryId, 'Restored');
      else states.delete(entry.entryId);
      return { ...now, states };
    });
  };
  const purged = async (those: readonly Entry[], bytes: number): Promise<void> => {
    // Only administrators may read the free space.
    const disk = mayDo(session, 'admin')
      ? (await client.usageOfAll({ limit: 1 }).catch(() => undefined))?.disk
      : undefined;
    onPurged(
      `Deleted ${binText(those, bytes)} permanently: ${formatBytes(bytes)} freed.${disk === undefined ? '' : ` The disk has ${formatBytes(disk.freeBytes)} of ${formatBytes(disk.totalBytes)} free now.`}`,
    );
    await Promise.all(STORED_QUERIES.map((queryKey) => queries.invalidateQueries({ queryKey: [queryKey] })));
  };
  return (
    <div className={styles.bin}>
      <div className={styles.head}>
        <p className={styles.soft}>
          Deleted and replaced files are kept{' '}
          {keepSeconds === undefined
            ? 'as versions in the bucket.'
            : `for ${formatLifetime(keepSeconds)}, or until their room is needed.`}
          {entries.length > 0 && ` They use ${formatBytes(sizeBytes)}.`}
        </p>
        {mayWrite && entries.length > 0 && (
          <ConfirmButton
            label="Empty the bin…"
            confirmLabel="Empty the bin"
            title="Empty the bin?"
            action={() => client.removeFromBin(undefined)}
            onDone={() => {
              setFrozen(NO_FROZEN_ROWS);
              return purged(entries, sizeBytes);
            }}
          >
            <p>
              {binText(entries, sizeBytes)}, {formatBytes(sizeBytes)}, in the bin of {session?.clientId}: all of it is
              deleted permanently. The bins of other clients stay.
            </p>
            {entries.length > 1 && <p>In the bin: {namesText(entries, sizeBytes)}.</p>}
            {restored.length > 0 && (
              <p>
                {entriesText(restored)} {restored.length === 1 ? 'was restored and stays' : 'were restored and stay'}.
              </p>
            )}
          </ConfirmButton>
        )}
      </div>
      <DataTable
        label="Bin"
        rows={rows}
        keyOf={({ entryId }) => entryId}
        empty="The bin is empty."
        columns={[
          {
            name: 'Name',
            cell: ({ path }) => <span title={path}>{entryName(path)}</span>,
          },
          {
            name: 'Was in',
            cell: ({ path }) => folderOf(path) || 'Media',
          },
          { name: 'Size', isNumber: true, cell: (entry) => formatBytes(entry.sizeBytes) },
          { name: 'Deleted', cell: ({ deletedAt }) => <Moment at={deletedAt} /> },
          {
            name: 'Kept until',
            // A restored file stays in its folder.
            cell: ({ entryId, expiresAt }) =>
              frozen.states.get(entryId) !== 'Restored' && expiresAt !== undefined && <Moment at={expiresAt} />,
          },
          {
            name: '',
            cell: (entry) => {
              if (!mayWrite) return null;
              const state = frozen.states.get(entry.entryId);
              return (
                <span className={styles.actions}>
                  {/* It stays after the press, and with it the focus. */}
                  <Button
                    variant="quiet"
                    aria-label={`${state ?? 'Restore'} ${entry.path}`}
                    aria-disabled={state !== undefined}
                    onClick={state === undefined ? () => void restore(entry) : undefined}
                  >
                    {state ?? 'Restore'}
                  </Button>
                  {state === undefined && (
                    <ConfirmButton
                      label="Delete…"
                      confirmLabel="Delete permanently"
                      name={`Delete ${entry.path} permanently`}
                      variant="quiet"
                      title={`Delete ${nameOf(entry.path)} permanently?`}
                      action={() => client.removeFromBin(entry.entryId)}
                      onDone={() => purged([entry], entry.sizeBytes)}
                    >
                      <p>It cannot be restored afterwards.</p>
                    </ConfirmButton>
                  )}
                </span>
              );
            },
          },
        ]}
      />
    </div>
  );
}
