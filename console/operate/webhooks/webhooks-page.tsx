import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@telecine/client';
import Plus from 'lucide-react/icons/plus';
import WebhookIcon from 'lucide-react/icons/webhook';
import { useState } from 'react';
import { mayDo } from '../../session/may-do.ts';
import { useSession } from '../../session/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Moment } from '../../ui/moment.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import styles from '../operate-page.module.css';
import { pollEvery } from '../poll.ts';
import { CallbackSecret } from './callback-secret.tsx';
import { FailureReason } from './failure-reason.tsx';
import { FirstTest } from './first-test.tsx';
import { DeliveryCount, LastDelivery } from './last-delivery.tsx';
import { NewWebhookDialog } from './new-webhook-dialog.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookState } from './webhook-state.tsx';
import { webhooksQuery } from './webhooks-query.ts';

/** The webhooks of the signed-in client. */
export function WebhooksPage() {
  const webhooks = useQuery({ ...webhooksQuery, ...pollEvery(15) });
  const { data: session } = useSession();
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<{ readonly text: string; readonly webhookId?: string }>();
  const navigate = useNavigate();
  const mayWrite = mayDo(session, 'jobs:write');
  return (
    <>
      <header className={styles.header}>
        <PageHeading>Webhooks</PageHeading>
        {/* An empty list has the button itself. */}
        {mayWrite && webhooks.data?.webhooks.length !== 0 && (
          <Button variant="primary" onClick={() => setAdding(true)}>
            <Plus /> Add a webhook
          </Button>
        )}
      </header>
      {session?.scopes.includes('admin') === true && (
        <p className={styles.soft}>
          The webhooks of <code>{session.clientId}</code>. To see the webhooks of another client, sign in as that
          client.
        </p>
      )}
      <QueryState query={webhooks} columns={['URL', 'State', 'Last delivery', 'Deliveries', 'Events', 'Added']}>
        {({ webhooks: all }) => (
          <DataTable
            label="Webhooks"
            icon={WebhookIcon}
            rows={all}
            keyOf={({ webhookId }) => webhookId}
            empty={
              <>
                <p>
                  <strong>The client {session?.clientId} has no webhooks.</strong>
                </p>
                <p>
                  A webhook is a URL of yours that gets a signed request when a job or a batch is completed, fails or is
                  cancelled, or when a watch needs you.
                </p>
                {mayWrite && (
                  <Button variant="primary" onClick={() => setAdding(true)}>
                    <Plus /> Add a webhook
                  </Button>
                )}
              </>
            }
            columns={[
              {
                name: 'URL',
                cell: ({ webhookId, url }) => (
                  <Link to="/operate/webhooks/$webhookId" params={{ webhookId }}>
                    <PathText path={url} />
                  </Link>
                ),
              },
              // On a phone, the reason why it fails follows.
              { name: 'State', isPlain: true, cell: (webhook) => <WebhookState webhook={webhook} /> },
              ...(all.some(({ failingSince }) => failingSince !== undefined)
                ? [
                    {
                      name: 'Why it fails',
                      isPlain: true,
                      cell: (webhook: Webhook) => <FailureReason webhook={webhook} />,
                    },
                  ]
                : []),
              {
                name: 'Last delivery',
                isPlain: true,
                cell: ({ webhookId }) => <LastDelivery webhookId={webhookId} />,
              },
              {
                name: 'Deliveries',
                isNumber: true,
                cell: ({ webhookId }) => <DeliveryCount webhookId={webhookId} />,
              },
              { name: 'Events', isPlain: true, cell: ({ events }) => events?.join(', ') ?? 'All events' },
              ...(all.some(({ description }) => description !== undefined)
                ? [{ name: 'Note', isPlain: true, cell: ({ description }: Webhook) => description }]
                : []),
              { name: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} /> },
              ...(mayWrite
                ? [{ name: '', isMenu: true, cell: (webhook: Webhook) => <WebhookActions webhook={webhook} /> }]
                : []),
            ]}
          />
        )}
      </QueryState>
      <CallbackSecret mayRotate={mayWrite} onSecret={(text) => setSecret({ text })} />
      {isAdding && (
        <NewWebhookDialog
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            setSecret({ text: added.secret, webhookId: added.webhookId });
            void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title="The secret that signs"
          secret={secret.text}
          use={
            <>
              <SignatureCheck />
              {secret.webhookId !== undefined && <FirstTest webhookId={secret.webhookId} />}
            </>
          }
          onClose={() => {
            setSecret(undefined);
            // Its page shows what it has received.
            if (secret.webhookId !== undefined)
              void navigate({ to: '/operate/webhooks/$webhookId', params: { webhookId: secret.webhookId } });
          }}
        >
          <p>
            Your receiver needs the secret to check the signature of each request. Store it now: it is not shown again.
          </p>
        </SecretDialog>
      )}
    </>
  );
}
