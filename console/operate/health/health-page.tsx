import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Doctor, Ready } from '@telecine/client';
import { client } from '../../app/client.ts';
import { COMMANDS } from '../../app/commands.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { countText, formatLongTime } from '../../ui/format.ts';
import { Loading } from '../../ui/loading.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { Figures } from '../figures.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { readyQuery } from './ready-query.ts';
import { type CheckRow, checkRows, failedChecks, passedText, serviceState } from './ready-state.ts';

const healthQuery = queryOptions({ queryKey: ['health'], queryFn: ({ signal }) => client.health({ signal }) });
const doctorQuery = queryOptions({
  queryKey: ['doctor'],
  queryFn: ({ signal }) => client.doctor({ signal }),
  // The checks run ffmpeg, so do not repeat them often. They run when the page is opened, and when the user asks for them.
  staleTime: 300_000,
});

/** The URL fragment of the section with the checks. */
const CHECKS = 'checks';

export function HealthPage() {
  const ready = useQuery({ ...readyQuery, ...pollEvery(10) });
  const health = useQuery({ ...healthQuery, ...pollEvery(10) });
  const doctor = useQuery(doctorQuery);
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Health</PageHeading>
      </header>
      <QueryState query={health}>
        {({ version, uptimeSeconds }) => (
          <Figures
            figures={[
              [
                'State',
                ready.data === undefined ? '…' : <ServiceState key="state" ready={ready.data} doctor={doctor.data} />,
              ],
              ['Version', version],
              ['Uptime', formatLongTime(uptimeSeconds < 60 ? uptimeSeconds : Math.floor(uptimeSeconds / 60) * 60)],
            ]}
          />
        )}
      </QueryState>
      <Checks ready={ready} doctor={doctor} />
    </>
  );
}

/** The state of the service. If checks fail, it is a link to them. */
function ServiceState({ ready, doctor }: { readonly ready: Ready; readonly doctor: Doctor | undefined }) {
  const { name, tone } = serviceState(ready, doctor);
  const isLink = failedChecks(doctor) > 0;
  const warnings = doctor?.findings.filter(({ state }) => state === 'warn').length ?? 0;
  return (
    <>
      <Status tone={tone}>{isLink ? <a href={`#${CHECKS}`}>{name}</a> : name}</Status>
      {warnings > 0 && (
        <small>
          {' '}
          <a href={`#${CHECKS}`}>{countText(warnings, 'warning')}</a>
        </small>
      )}
    </>
  );
}

/** What the service checks every few seconds, and what `telecine doctor` checks when the page is opened. */
function Checks({ ready, doctor }: { readonly ready: UseQueryResult<Ready>; readonly doctor: UseQueryResult<Doctor> }) {
  const rows = checkRows(ready.data, doctor.data);
  const isLoading = [ready, doctor].some(({ data, error }) => data === undefined && error === null);
  return (
    <section id={CHECKS} className={`${styles.section} ${styles.checkTable}`} tabIndex={-1} aria-label="Checks">
      <div className={styles.header}>
        <h2>Checks</h2>
        <div className={styles.actions}>
          {!isLoading && rows.length > 0 && (
            <span className={styles.soft}>
              <strong>{passedText(rows)}</strong>
              {doctor.dataUpdatedAt > 0 && (
                <>
                  {', checked '}
                  <Moment at={new Date(doctor.dataUpdatedAt).toISOString()} />
                </>
              )}
            </span>
          )}
          <Button disabled={doctor.isFetching} onClick={() => void Promise.all([doctor.refetch(), ready.refetch()])}>
            {doctor.isFetching ? 'Checking…' : 'Check again'}
          </Button>
        </div>
      </div>
      {[ready, doctor].map(
        ({ error, refetch }, index) =>
          error !== null && (
            <ProblemNotice key={index === 0 ? 'ready' : 'doctor'} error={error} onRetry={() => void refetch()} />
          ),
      )}
      {rows.length > 0 && (
        <DataTable<CheckRow>
          label="Checks"
          rows={rows}
          keyOf={({ key }) => key}
          empty="No checks."
          columns={[
            { name: 'Check', cell: ({ name }) => name },
            {
              name: 'State',
              isBesideName: true,
              cell: ({ state: { name, tone } }) => (
                <Status tone={tone} isQuiet={tone === 'good'}>
                  {name}
                </Status>
              ),
            },
            { name: 'Details', isPlain: true, isWide: true, cell: ({ text }) => <WithCode text={text} /> },
            ...(rows.some(({ fix }) => fix !== undefined)
              ? [
                  {
                    name: 'What to do',
                    isPlain: true,
                    isWide: true,
                    cell: ({ fix, page }: CheckRow) => (
                      <>
                        {fix && <WithCode text={fix} />} {page && <Link to={page}>Open the webhooks</Link>}
                      </>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {isLoading && <Loading />}
      <p className={styles.soft}>
        These are the checks of <code>{COMMANDS.doctor}</code>, done by the service that replied.
      </p>
    </section>
  );
}
