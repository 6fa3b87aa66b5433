import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Webhook } from '@telecine/client';
import CirclePause from 'lucide-react/icons/circle-pause';
import KeyRound from 'lucide-react/icons/key-round';
import Send from 'lucide-react/icons/send';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { client } from '../../app/client.ts';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { ChangeWebhookDialog } from './change-webhook-dialog.tsx';
import { Deliveries } from './deliveries.tsx';
import { deliveriesKey, deliveriesQuery } from './deliveries-query.ts';
import { FailureReason } from './failure-reason.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { WebhookState } from './webhook-state.tsx';
import { wasDisabled, webhookQuery, webhooksQuery } from './webhooks-query.ts';

/** One webhook: its state, its deliveries, and the actions on it. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/operate/webhooks/$webhookId' });
  // As often as the deliveries, whose results change the state of the webhook.
  const webhook = useQuery({ ...webhookQuery(webhookId), ...pollEvery(5) });
  const { data: session } = useSession();
  const mayWrite = mayDo(session, 'jobs:write');
  const test = useTest(webhookId);
  const all = useInfiniteQuery(deliveriesQuery(webhookId, undefined));
  // Where nothing was sent yet, the button is in the place of the deliveries.
  const isUnused = all.data === undefined ? all.error === null : all.data.pages[0]?.deliveries.length === 0;
  return (
    <QueryState query={webhook}>
      {(data) => (
        <>
          <header className={styles.header}>
            <div>
              <BackLink to="/operate/webhooks">Webhooks</BackLink>
              <PageHeading>{data.url}</PageHeading>
              <p className={styles.soft}>
                <WebhookState webhook={data} />
                <FailureReason webhook={data} after=" · " />
              </p>
              <p className={styles.soft}>
                {data.events === undefined ? 'All events' : data.events.join(', ')}
                {data.description !== undefined && ` · ${data.description}`}
              </p>
            </div>
            {mayWrite && <Actions webhook={data} test={isUnused ? undefined : test} />}
          </header>
          {/* If the webhook was disabled, the list of deliveries says what to do. */}
          {test.error !== null && !wasDisabled(test.error) && <ProblemNotice error={test.error} />}
          <Deliveries
            webhook={data}
            mayReplay={mayWrite}
            empty={
              <>
                <p>
                  <strong>Nothing was sent in the last week.</strong>
                </p>
                <p>Each event is listed here with the reply of your receiver, and can be sent again.</p>
                {mayWrite && data.enabled && <TestButton test={test} isEnabled />}
              </>
            }
          />
          <SignatureCheck />
        </>
      )}
    </QueryState>
  );
}

/** Sends a test event. */
function useTest(webhookId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.testWebhook(webhookId),
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey(webhookId) }),
    onError: (error) => {
      if (wasDisabled(error)) void queries.invalidateQueries({ queryKey: webhookQuery(webhookId).queryKey });
    },
  });
}

const TestButton = ({
  test,
  isEnabled,
}: {
  readonly test: ReturnType<typeof useTest>;
  readonly isEnabled: boolean;
}) => (
  <Button variant="primary" disabled={!isEnabled || test.isPending} onClick={() => test.mutate()}>
    <Send /> Send a test
  </Button>
);

function Actions({
  webhook,
  test,
}: {
  readonly webhook: Webhook;
  /** undefined: the button for a test is elsewhere on the page. */
  readonly test: ReturnType<typeof useTest> | undefined;
}) {
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
  const { error } = enable;
  return (
    <div className={styles.actions}>
      {test !== undefined && <TestButton test={test} isEnabled={enabled} />}
      <Button onClick={() => setChanging(true)}>Change</Button>
      {!enabled && (
        <Button variant="primary" disabled={enable.isPending} onClick={() => enable.mutate()}>
          Enable
        </Button>
      )}
      <Menu label="More for this webhook">
        <ConfirmButton
          label="New secret"
          icon={<KeyRound />}
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
        {enabled && (
          <ConfirmButton
            label="Disable"
            icon={<CirclePause />}
            title="Disable this webhook?"
            variant="plain"
            action={() => client.changeWebhook(webhookId, { enabled: false })}
            onDone={show}
          >
            <p>Nothing is sent until you enable the webhook again. Its unfinished deliveries are dropped.</p>
          </ConfirmButton>
        )}
        <ConfirmButton
          label="Delete"
          icon={<Trash2 />}
          title="Delete this webhook?"
          action={() => client.removeWebhook(webhookId)}
          onDone={() => {
            void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
            void navigate({ to: '/operate/webhooks' });
          }}
        >
          <p>The webhook, its secrets and the list of its deliveries are deleted.</p>
        </ConfirmButton>
      </Menu>
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
        <SecretDialog
          title="The new secret"
          secret={secret}
          use={<SignatureCheck />}
          onClose={() => setSecret(undefined)}
        >
          <p>
            Your receiver needs the secret to check the signature of each request. Store it now: it is not shown again.
          </p>
        </SecretDialog>
      )}
    </div>
  );
}
