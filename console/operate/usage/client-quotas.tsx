import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Usage } from '@telecine/client';
import { client } from '../../app/client.ts';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
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
  const isAdmin = mayDo(useSession().data, 'admin');
  return (
    <>
      <ul className={styles.quotas}>
        {usage.quotas.map((quota) => (
          <OneQuota key={quota.name} quota={quota} />
        ))}
      </ul>
      <p className={operateStyles.soft}>
        Today ends at {formatMoment(usage.resetsAt)}. Queued and running jobs are counted already. Up to {usage.slots}{' '}
        ordinary {usage.slots === 1 ? 'job' : 'jobs'} of {usage.client} can run at the same time.
      </p>
      <details className={operateStyles.soft}>
        <summary>What is counted, and who sets the limits</summary>
        <p>
          Stored files are those that uploads and jobs of {usage.client} published, not files that others put into its
          folder. Jobs and media are counted per day in UTC.{' '}
          {isAdmin ? (
            <>
              You set the limits of a client in <Link to="/operate/clients">Clients</Link>.
            </>
          ) : (
            'Your operator sets the limits.'
          )}
        </p>
      </details>
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
