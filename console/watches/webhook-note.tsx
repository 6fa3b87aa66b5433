import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '@telecine/client';
import { webhooksQuery } from '../operate/webhooks/webhooks-query.ts';
import ink from '../ui/ink.module.css';
import { PathText } from '../ui/path-text.tsx';

/** Whether a webhook is told of the end of jobs. */
const tellsOfJobs = ({ enabled, events }: Webhook): boolean =>
  enabled && (events === undefined || events.some((event) => event.startsWith('job.')));

/** Names the webhook that reports the jobs of a watch, or says how to add one. */
export function WebhookNote() {
  const { data } = useQuery(webhooksQuery);
  const [first, ...others] = data?.webhooks.filter(tellsOfJobs) ?? [];
  if (data === undefined) return null;
  return (
    <p className={ink.soft}>
      {first === undefined ? (
        <>
          To tell a program when a file is converted, add a <Link to="/operate/webhooks">webhook</Link>.
        </>
      ) : (
        <>
          A webhook tells{' '}
          <Link to="/operate/webhooks/$webhookId" params={{ webhookId: first.webhookId }}>
            <PathText path={first.url} />
          </Link>
          {others.length > 0 && (
            <>
              {' '}
              and <Link to="/operate/webhooks">{others.length} more</Link>
            </>
          )}{' '}
          of jobs that have ended.
        </>
      )}
    </p>
  );
}
