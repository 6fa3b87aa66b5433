import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../app/client.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import styles from '../operate-page.module.css';

const secretsQuery = queryOptions({
  queryKey: ['callback secrets'],
  queryFn: ({ signal }) => client.callbackSecrets({ signal }),
});

/** Shows which secret signs the requests to a `callbackUrl`, and creates a new one. */
export function CallbackSecret({
  mayRotate,
  onSecret,
}: {
  readonly mayRotate: boolean;
  readonly onSecret: (secret: string) => void;
}) {
  const secrets = useQuery(secretsQuery);
  const queries = useQueryClient();
  const content = (
    <QueryState query={secrets}>
      {({ secrets: all }) => {
        const current = all.find(({ expiresAt }) => expiresAt === undefined);
        const previous = all.find(({ expiresAt }) => expiresAt !== undefined);
        return (
          <div className={styles.header}>
            <p className={styles.soft}>
              {current === undefined ? (
                <>
                  Webhooks do not need this. A job can name a URL of its own that is called when it ends (
                  <code>callbackUrl</code>). These calls are signed with a secret of their own.
                </>
              ) : (
                <>
                  A job can name a URL that is called when it ends (<code>callbackUrl</code>). Each call is signed with
                  a secret, which was created <Moment at={current.createdAt} />.
                </>
              )}
              {previous?.expiresAt !== undefined && (
                <>
                  {' '}
                  The previous secret also signs and ends <Moment at={previous.expiresAt} />.
                </>
              )}
            </p>
            {mayRotate && (
              <ConfirmButton
                label={current === undefined ? 'Create a secret' : 'New secret'}
                title={current === undefined ? 'Create a secret for callbacks?' : 'Create a new secret for callbacks?'}
                variant="plain"
                action={() => client.rotateWebhookSecret(undefined)}
                onDone={({ secret }) => {
                  onSecret(secret);
                  void queries.invalidateQueries({ queryKey: secretsQuery.queryKey });
                }}
              >
                <p>
                  The new secret is shown only once. The previous secret also signs for a day, so that you can change
                  the receiver.
                </p>
              </ConfirmButton>
            )}
          </div>
        );
      }}
    </QueryState>
  );
  const isUnused = secrets.data?.secrets.some(({ expiresAt }) => expiresAt === undefined) === false;
  // Beside webhooks, it looks like their secret. So it is out of the way until the client uses it.
  if (isUnused)
    return (
      <details className={styles.fold}>
        <summary>Secret for jobs with a callbackUrl: there is none yet</summary>
        {content}
      </details>
    );
  return (
    <section className={styles.section}>
      <h2>Callbacks of jobs</h2>
      {content}
    </section>
  );
}
