import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Doctor, Ready } from '@telecine/client';
import { client } from '../../app/client.ts';
import { COMMANDS } from '../../app/commands.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatLongTime } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Status } from '../../ui/status.tsx';
import type { Tone } from '../../ui/tone.ts';
import { Figures } from '../figures.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { readyQuery } from './ready-query.ts';
import { CHECK_STATES, checkName, failedChecks, findingName, serviceState, worstFirst } from './ready-state.ts';

const healthQuery = queryOptions({ queryKey: ['health'], queryFn: ({ signal }) => client.health({ signal }) });
const doctorQuery = queryOptions({
  queryKey: ['doctor'],
  queryFn: ({ signal }) => client.doctor({ signal }),
  // The checks run ffmpeg, so do not repeat them often. They run when the page is opened, and when the user asks for them.
  staleTime: 300_000,
});

/** The URL fragment of the section with the checks of the machine. */
const MACHINE = 'machine';

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
              ['Uptime', formatLongTime(uptimeSeconds)],
            ]}
          />
        )}
      </QueryState>
      <section className={`${styles.section} ${styles.checkTable}`}>
        <h2>Ready for work</h2>
        <QueryState query={ready}>{(data) => <Checks ready={data} />}</QueryState>
      </section>
      <DoctorChecks />
    </>
  );
}

/** The state of the service. If checks fail, it is a link to them. */
function ServiceState({ ready, doctor }: { readonly ready: Ready; readonly doctor: Doctor | undefined }) {
  const { name, tone } = serviceState(ready, doctor);
  const isLink = failedChecks(doctor) > 0;
  return <Status tone={tone}>{isLink ? <a href={`#${MACHINE}`}>{name}</a> : name}</Status>;
}

function Checks({ ready: { checks } }: { readonly ready: Ready }) {
  return (
    <DataTable
      label="Ready for work"
      rows={Object.entries(checks)}
      keyOf={([name]) => name}
      empty="No checks."
      columns={[
        { name: 'Check', cell: ([name]) => checkName(name) },
        {
          name: 'State',
          isBesideName: true,
          cell: ([, { status }]) => (
            <Status tone={CHECK_STATES[status].tone} isQuiet={status === 'ok'}>
              {CHECK_STATES[status].name}
            </Status>
          ),
        },
        ...(Object.values(checks).some(({ message }) => message !== undefined)
          ? [{ name: 'Details', isPlain: true, isWide: true, cell: ([, { message }]: [string, Check]) => message }]
          : []),
      ]}
    />
  );
}

type Check = Ready['checks'][string];
type Finding = Doctor['findings'][number];

/** A finding as the other texts of a table are: it begins with a capital letter, unless with a name, and ends without a full stop. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');

const FINDINGS: Readonly<Record<Finding['state'], { readonly name: string; readonly tone: Tone }>> = {
  ok: { name: 'OK', tone: 'good' },
  warn: { name: 'Warning', tone: 'warn' },
  bad: { name: 'Fails', tone: 'bad' },
};

/** The checks of `telecine doctor`, run by the service. */
function DoctorChecks() {
  const doctor = useQuery(doctorQuery);
  return (
    <section
      id={MACHINE}
      className={`${styles.section} ${styles.checkTable}`}
      tabIndex={-1}
      aria-label="Checks of the machine"
    >
      <div className={styles.header}>
        <h2>Checks of the machine</h2>
        <div className={styles.actions}>
          {doctor.dataUpdatedAt > 0 && (
            <span className={styles.soft}>
              checked <Moment at={new Date(doctor.dataUpdatedAt).toISOString()} />
            </span>
          )}
          <Button disabled={doctor.isFetching} onClick={() => void doctor.refetch()}>
            {doctor.isFetching ? 'Checking…' : 'Check again'}
          </Button>
        </div>
      </div>
      <QueryState query={doctor}>
        {({ findings }) => (
          <DataTable
            label="Checks of the machine"
            rows={worstFirst(findings)}
            keyOf={({ name, says }) => `${name} ${says}`}
            empty="No checks."
            columns={[
              { name: 'Check', cell: ({ name }) => findingName(name) },
              {
                name: 'State',
                isBesideName: true,
                cell: ({ state }) => (
                  <Status tone={FINDINGS[state].tone} isQuiet={state === 'ok'}>
                    {FINDINGS[state].name}
                  </Status>
                ),
              },
              { name: 'Finding', isPlain: true, isWide: true, cell: ({ says }) => sentence(says) },
              ...(findings.some(({ fix }) => fix !== undefined)
                ? [{ name: 'What to do', isPlain: true, isWide: true, cell: ({ fix }: Finding) => fix }]
                : []),
            ]}
          />
        )}
      </QueryState>
      <p className={styles.soft}>
        The checks of <code>{COMMANDS.doctor}</code>, run by the service that replied.
      </p>
    </section>
  );
}
