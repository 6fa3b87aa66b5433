import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UsageList } from '@telecine/client';
import { client } from '../../app/client.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatBytes, formatLongTime } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import { Figures } from '../figures.tsx';
import operateStyles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { type SpaceShare, shareText, spaceFigures, spaceShares } from './space-figures.ts';
import styles from './usage-page.module.css';

/** The maximum number of clients in the table. */
const SHOWN = 1000;

const usageListQuery = queryOptions({
  queryKey: ['usage of all'],
  queryFn: ({ signal }) => client.usageOfAll({ limit: SHOWN, signal }),
});

type ClientUse = UsageList['clients'][number];

/** Who uses the space of the disk, largest first, and how much of it can come back. */
export function AllClients() {
  const usage = useQuery({ ...usageListQuery, ...pollEvery(10) });
  return (
    <QueryState query={usage}>
      {(data) => (
        <>
          <div className={styles.shares}>
            <SpaceBar shares={spaceShares(data)} />
            <Figures
              figures={spaceFigures(data).map(({ name, part, value, detail, isLow }) => [
                name,
                <span key={name}>
                  {isLow ? <Status tone="warn">{value}</Status> : value} {detail && <small>{detail}</small>}
                </span>,
                data.disk && part,
              ])}
            />
          </div>
          <SpaceText usage={data} />
          <Clients usage={data} />
        </>
      )}
    </QueryState>
  );
}

/** The figures below it as shares of the disk. */
function SpaceBar({ shares }: { readonly shares: readonly SpaceShare[] }) {
  if (shares.length === 0) return null;
  return (
    <div className={styles.space} aria-hidden="true">
      {shares.map(({ part, bytes }) => bytes > 0 && <span key={part} data-part={part} style={{ flexGrow: bytes }} />)}
    </div>
  );
}

function SpaceText({ usage: { disk } }: { readonly usage: UsageList }) {
  return (
    <details className={operateStyles.soft}>
      <summary>What is counted</summary>
      <p>
        {disk === undefined
          ? 'The media are in a bucket, whose size is not known. '
          : 'Other data are files that other programs put into the folders of clients, scratch folders of running jobs, and what else is on the disk of the media root. '}
        Files in bins are deleted when their time is over
        {disk !== undefined && ', or earlier if the disk is nearly full'}.
      </p>
    </details>
  );
}

function Clients({ usage: { clients, total } }: { readonly usage: UsageList }) {
  return (
    <section className={operateStyles.section}>
      <h2>By client</h2>
      <DataTable<ClientUse>
        label="Usage by client"
        rows={clients}
        keyOf={(one) => one.client}
        empty="There are no clients."
        columns={[
          {
            name: 'Client',
            cell: (one) => (
              <>
                <Link to="/operate/usage" search={{ client: one.client }}>
                  {one.client}
                </Link>
                {one.revokedAt !== undefined && ' (revoked)'}
              </>
            ),
          },
          {
            name: 'Stored files',
            isNumber: true,
            isBesideName: true,
            cell: ({ storedBytes, storageLimit }) =>
              storageLimit === undefined ? (
                formatBytes(storedBytes)
              ) : (
                <span className={styles.limit}>
                  {formatBytes(storedBytes)} of {formatBytes(storageLimit)}
                  <Meter label="Share of the limit" max={storageLimit} value={storedBytes} isLimit />
                </span>
              ),
          },
          // Columns without a value say nothing, and the share of a single client is all.
          ...(clients.length > 1 && total.storedBytes > 0
            ? [
                {
                  name: 'Share',
                  isNumber: true,
                  cell: ({ storedBytes }: ClientUse) => (
                    <span className={styles.limit}>
                      {shareText(storedBytes, total.storedBytes)}
                      <Meter label="Share of all stored files" max={total.storedBytes} value={storedBytes} />
                    </span>
                  ),
                },
              ]
            : []),
          ...(clients.some(({ binBytes }) => binBytes > 0)
            ? [
                {
                  name: 'In the bin',
                  isNumber: true,
                  cell: ({ binBytes }: ClientUse) => (binBytes > 0 ? formatBytes(binBytes) : 'empty'),
                },
              ]
            : []),
          ...(clients.some(({ jobs }) => jobs > 0)
            ? [{ name: 'Jobs today', isNumber: true, cell: ({ jobs }: ClientUse) => jobs.toLocaleString() }]
            : []),
          ...(clients.some(({ mediaSeconds }) => mediaSeconds > 0)
            ? [
                {
                  name: 'Media today',
                  isNumber: true,
                  cell: ({ mediaSeconds }: ClientUse) => formatLongTime(mediaSeconds),
                },
              ]
            : []),
        ]}
      />
      <p className={operateStyles.soft}>
        {total.clients > clients.length &&
          `The ${clients.length.toLocaleString()} of ${total.clients.toLocaleString()} clients that use the most space. `}
        Choose a client to see its largest folders and files.
        {total.binBytes > 0 && <> To get space back, empty your bin, or ask clients to empty theirs.</>}
      </p>
    </section>
  );
}
