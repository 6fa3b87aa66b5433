import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import CirclePause from 'lucide-react/icons/circle-pause';
import { readyQuery } from '../operate/health/ready-query.ts';
import { pollEvery } from '../operate/poll.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { WithCode } from '../ui/with-code.tsx';
import styles from './pause-notice.module.css';

/** The checks that report why no queued job starts, and the page on which an administrator can change it. */
const PLACES = [
  { check: 'queue', to: '/operate/queue', name: 'Open the queue' },
  { check: 'workers', to: '/operate/workers', name: 'Open the workers' },
] as const;

/** Says that no queued job starts: the queue is paused, or no worker takes jobs. */
export function PauseNotice() {
  const { data: session } = useSession();
  const { data: ready } = useQuery({ ...readyQuery, ...pollEvery(5) });
  const paused = PLACES.flatMap(({ check, ...place }) => {
    const { status = 'ok', message } = ready?.checks[check] ?? {};
    return status === 'ok' ? [] : [{ ...place, message }];
  });
  return (
    <div role="status" className={paused.length > 0 ? styles.notice : styles.none}>
      {paused.map(({ to, name, message }) => (
        <p key={to}>
          <CirclePause /> <WithCode text={message ?? ''} /> {mayDo(session, 'admin') && <Link to={to}>{name}</Link>}
        </p>
      ))}
    </div>
  );
}
