import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Usage, UsageList } from '@telecine/client';
import { client } from '../../app/client.ts';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { formatBytes, formatLongTime } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { Moment } from '../../ui/moment.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import { type Figure, Figures } from '../figures.tsx';
import operateStyles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { diskQuery } from './disk-query.ts';
import { freeFigure } from './space-figures.ts';

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
  jobs: { name: 'Jobs today', format: (jobs) => jobs.toLocaleString() },
  media: { name: 'Media today', format: formatLongTime },
  storage: { name: 'Stored files', format: formatBytes },
  records: { name: 'Records in the database', format: formatBytes },
};

function Quotas({ usage }: { readonly usage: Usage }) {
  const isAdmin = mayDo(useSession().data, 'admin');
  const { data, isPending } = useQuery({ ...diskQuery, enabled: isAdmin });
  const disk = data?.disk;
  return (
    <>
      <Figures
        figures={[
          ...usage.quotas.map((quota): Figure => [QUOTAS[quota.name].name, <Used key="used" quota={quota} />]),
          ...(isAdmin && (disk !== undefined || isPending)
            ? [['Free on the disk', <Free key="free" disk={disk} />] satisfies Figure]
            : []),
        ]}
      />
      <details className={operateStyles.soft}>
        <summary>What is counted, and who sets the limits</summary>
        <p>
          Today is a day in UTC and ends <Moment at={usage.resetsAt} />. Queued and running jobs are counted already. Up
          to {usage.slots} ordinary {usage.slots === 1 ? 'job' : 'jobs'} of {usage.client} can run at the same time.
        </p>
        <p>
          Stored files are those that uploads and jobs of {usage.client} published, not files that others put into its
          folder.{' '}
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

/** What was used of a quota, with its limit. */
function Used({ quota: { name: key, used, limit } }: { readonly quota: Quota }) {
  const { name, format } = QUOTAS[key];
  if (limit === undefined)
    return (
      <>
        {format(used)} <small>no limit</small>
      </>
    );
  return (
    <>
      <span>
        {format(used)} <small>of {format(limit)}</small>
      </span>
      <Meter label={name} max={limit} value={used} isLimit />
      {used >= limit && <p>The quota is used up.</p>}
    </>
  );
}

/** How much of the disk is free. `disk`: undefined while it is being read, which takes the same room. */
function Free({ disk }: { readonly disk: UsageList['disk'] }) {
  const free = disk && freeFigure(disk);
  return (
    <>
      <span>
        {free?.isLow === true ? <Status tone="warn">{free.value}</Status> : (free?.value ?? '–')}{' '}
        <small>{free?.detail}</small>
      </span>
      <Meter
        label="Space of the disk in use"
        max={disk?.totalBytes ?? 1}
        value={disk === undefined ? 0 : disk.totalBytes - disk.freeBytes}
      />
    </>
  );
}
