import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Usage } from '@telecine/client';
import { client } from '../../app/client.ts';
import { formatBytes, formatDuration, formatMoment } from '../../ui/format.ts';
import { QueryState } from '../../ui/query-state.tsx';
import operateStyles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import styles from './usage-page.module.css';

const usageQuery = (of: string | undefined) =>
  queryOptions({
    queryKey: ['usage', of],
    queryFn: ({ signal }) => client.usage({ signal, ...(of !== undefined && { client: of }) }),
  });

/** How much of its quotas a client has used. `of`: absent for the signed-in client. */
export function ClientQuotas({ of }: { readonly of: string | undefined }) {
  const usage = useQuery({ ...usageQuery(of), ...pollEvery(10) });
  return <QueryState query={usage}>{(data) => <Quotas usage={data} />}</QueryState>;
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
