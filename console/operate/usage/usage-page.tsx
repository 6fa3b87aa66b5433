import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Usage } from '@telecine/client';
import { client } from '../../app/client.ts';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { formatBytes, formatDuration, formatMoment } from '../../ui/format.ts';
import { PageHeading } from '../../ui/page-heading.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { clientsQuery } from '../clients/clients-query.ts';
import operateStyles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import styles from './usage-page.module.css';

const usageQuery = (of: string | undefined) =>
  queryOptions({
    queryKey: ['usage', of],
    queryFn: ({ signal }) => client.usage({ signal, ...(of !== undefined && { client: of }) }),
  });

/** How much of its quotas a client has used. */
export function UsagePage() {
  const { client: of } = useSearch({ from: '/operate/usage' });
  const usage = useQuery({ ...usageQuery(of), ...pollEvery(10) });
  return (
    <>
      <header className={operateStyles.header}>
        <PageHeading>Usage</PageHeading>
        <ClientChoice />
      </header>
      <QueryState query={usage}>{(data) => <Quotas usage={data} />}</QueryState>
    </>
  );
}

/** Chooses the client whose usage is shown. Only administrators can choose. */
function ClientChoice() {
  const { data: session } = useSession();
  const { client: of } = useSearch({ from: '/operate/usage' });
  const navigate = useNavigate({ from: '/operate/usage' });
  const isAdmin = mayDo(session, 'admin');
  const clients = useQuery({ ...clientsQuery, enabled: isAdmin });
  if (!isAdmin || clients.data === undefined) return null;
  return (
    <div className={operateStyles.bar}>
      <label className={styles.choice}>
        Client
        <select
          value={of ?? session?.clientId}
          onChange={({ currentTarget }) => void navigate({ search: { client: currentTarget.value }, replace: true })}
        >
          {clients.data.clients.map(({ clientId, revokedAt }) => (
            <option key={clientId} value={clientId}>
              {clientId}
              {revokedAt !== undefined && ' (revoked)'}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

type Quota = Usage['quotas'][number];

const QUOTAS: Readonly<Record<Quota['name'], { readonly name: string; readonly format: (value: number) => string }>> = {
  jobs: { name: 'Jobs submitted today', format: (jobs) => jobs.toLocaleString() },
  media: { name: 'Media published today', format: formatDuration },
  storage: { name: 'Stored files', format: formatBytes },
};

function Quotas({ usage }: { readonly usage: Usage }) {
  return (
    <>
      <ul className={styles.quotas}>
        {usage.quotas.map((quota) => (
          <OneQuota key={quota.name} quota={quota} />
        ))}
      </ul>
      <p className={operateStyles.soft}>
        Stored files are those that uploads and jobs of <code>{usage.client}</code> published, not files that others put
        into its folder. Usage is counted per day in UTC. Today ends at {formatMoment(usage.resetsAt)} in your time
        zone. The usage includes the reservations of queued and running jobs. Up to {usage.slots} ordinary{' '}
        {usage.slots === 1 ? 'job' : 'jobs'} of <code>{usage.client}</code> can run at the same time.
      </p>
    </>
  );
}

function OneQuota({ quota: { name: key, used, limit } }: { readonly quota: Quota }) {
  const { name, format } = QUOTAS[key];
  const isNear = limit !== undefined && used >= limit * 0.9;
  return (
    <li className={styles.quota}>
      <h2>{name}</h2>
      <p className={styles.used}>
        {format(used)}
        <span className={operateStyles.soft}>{limit === undefined ? ' · no limit' : ` of ${format(limit)}`}</span>
      </p>
      {limit !== undefined && (
        <meter
          aria-label={name}
          className={styles.meter}
          data-near={isNear}
          max={limit}
          value={Math.min(used, limit)}
        />
      )}
      {limit !== undefined && used >= limit && <p>The quota is used up.</p>}
    </li>
  );
}
