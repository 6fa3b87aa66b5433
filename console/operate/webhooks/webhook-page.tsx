import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Webhook } from '@telecine/client';
import { useState } from 'react';
import { client } from '../../app/client.ts';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { ChangeWebhookDialog } from './change-webhook-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { deliveriesKey } from './deliveries-query.ts';
import { WebhookState } from './webhook-state.tsx';
import { wasDisabled, webhookQuery, webhooksQuery } from './webhooks-query.ts';

/** One webhook: its state, its deliveries, and the actions on it. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/operate/webhooks/$webhookId' });
  const webhook = useQuery({ ...webhookQuery(webhookId), ...pollEvery(10) });
  const { data: session } = useSession();
  const mayWrite = mayDo(session, 'jobs:write');
  return (
    <QueryState query={webhook}>
      {(data) => (
        <>
          <header className={styles.header}>
            <div>
              <PageHeading>{data.url}</PageHeading>
              <p className={styles.soft}>
                <WebhookState webhook={data} />
                {' · '}
                {data.events === undefined ? 'All events' : data.events.join(', ')}
                {data.description !== undefined && ` · ${data.description}`}
              </p>
            </div>
            {mayWrite && <Actions webhook={data} />}
          </header>
          <Deliveries webhook={data} mayReplay={mayWrite} />
        </>
      )}
    </QueryState>
  );
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { webhookId, enabled } = webhook;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isChanging, setChanging] = useState(false);
  const [secret, setSecret] = useState<string>();
  const show = (changed: Webhook): void => {
    queries.setQueryData(webhookQuery(webhookId).queryKey, changed);
    void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  };
  const enable = useMutation({ mutationFn: () => client.changeWebhook(webhookId, { enabled: true }), onSuccess: show });
  const test = useMutation({
    mutationFn: () => client.testWebhook(webhookId),
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) }),
    onError: (error) => {
      if (wasDisabled(error)) void queries.invalidateQueries({ queryKey: webhookQuery(webhookId).queryKey });
    },
  });
  // If the webhook was disabled, the list of deliveries tells the user what to do.
  const error = enable.error ?? (wasDisabled(test.error) ? null : test.error);
  return (
    <div className={styles.actions}>
      <Button disabled={!enabled || test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <Button onClick={() => setChanging(true)}>Change</Button>
      <ConfirmButton
        label="New secret"
        title="Create a new secret for this webhook?"
        variant="plain"
        action={() => client.rotateWebhookSecret(webhookId)}
        onDone={(rotated) => setSecret(rotated.secret)}
      >
        <p>
          The new secret is shown only once. The previous secret also signs for a day, so that you can change the
          receiver.
        </p>
      </ConfirmButton>
      {enabled ? (
        <ConfirmButton
          label="Disable"
          title="Disable this webhook?"
          variant="plain"
          action={() => client.changeWebhook(webhookId, { enabled: false })}
          onDone={show}
        >
          <p>Nothing is sent until you enable the webhook again. Its unfinished deliveries are dropped.</p>
        </ConfirmButton>
      ) : (
        <Button disabled={enable.isPending} onClick={() => enable.mutate()}>
          Enable
        </Button>
      )}
      <ConfirmButton
        label="Delete"
        title="Delete this webhook?"
        action={() => client.removeWebhook(webhookId)}
        onDone={() => {
          void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
          void navigate({ to: '/operate/webhooks' });
        }}
      >
        <p>The webhook, its secrets and the list of its deliveries are deleted.</p>
      </ConfirmButton>
      {error !== null && <ProblemNotice error={error} />}
      {isChanging && (
        <ChangeWebhookDialog
          webhook={webhook}
          onClose={() => setChanging(false)}
          onChanged={(changed) => {
            setChanging(false);
            show(changed);
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog title="The new secret" secret={secret} onClose={() => setSecret(undefined)}>
          <p>
            Your receiver needs the secret to check the signature of each request. Store it now: it is not shown again.
          </p>
        </SecretDialog>
      )}
    </div>
  );
}
