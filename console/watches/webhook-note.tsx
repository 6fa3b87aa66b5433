import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tellsOfJobs } from '../operate/webhooks/tells-of-jobs.ts';
import { webhooksQuery } from '../operate/webhooks/webhooks-query.ts';
import ink from '../ui/ink.module.css';
import { PathText } from '../ui/path-text.tsx';

/** Names the webhook that reports the jobs of a watch, or says how to add one. `isNew`: the watch is not made yet, and a link would lose its form. */
export function WebhookNote({ isNew = false }: { readonly isNew?: boolean }) {
  const { data } = useQuery(webhooksQuery);
  const [first, ...others] = data?.webhooks.filter(tellsOfJobs) ?? [];
  if (data === undefined) return null;
  if (isNew)
    return (
      <p className={ink.soft}>
        {first === undefined ? (
          'To tell a program when a file is converted, add a webhook on the page of the watch, after its start.'
        ) : (
          <>
            A webhook tells <PathText path={first.url} />
            {others.length > 0 && ` and ${others.length} more`} of jobs that have ended, also of those of this watch.
          </>
        )}
      </p>
    );
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
