import type { Job } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import styles from './job-page.module.css';

/** Tells an administrator which parts of another client's job are not available. */
export function JobOwnerNote({ job: { client: owner } }: { readonly job: Job }) {
  const { data: session } = useSession();
  if (session === undefined || session === null || session.clientId === owner) return null;
  return (
    <p className={styles.soft}>
      This job belongs to the client {owner}. Its paths are in the folder of {owner}, so its source is not shown here,
      and only {owner} can edit its request and run it again with changes.
    </p>
  );
}
