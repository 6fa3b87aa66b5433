import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@telecine/client';
import CirclePlay from 'lucide-react/icons/circle-play';
import Send from 'lucide-react/icons/send';
import { client } from '../../app/client.ts';
import { Button } from '../../ui/button.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { webhooksQuery } from './webhooks-query.ts';

/** The actions on a webhook in the list. A test leads to its page, which shows the reply. */
export function WebhookActions({ webhook: { webhookId, url, enabled } }: { readonly webhook: Webhook }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const open = (): void => void navigate({ to: '/operate/webhooks/$webhookId', params: { webhookId } });
  // The page of the webhook says why a call was rejected.
  const test = useMutation({ mutationFn: () => client.testWebhook(webhookId), onSettled: open });
  const enable = useMutation({
    mutationFn: () => client.changeWebhook(webhookId, { enabled: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
    onError: open,
  });
  return (
    <RowMenu label={`Actions for ${url}`}>
      {enabled ? (
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          <Send /> Send a test
        </Button>
      ) : (
        <Button disabled={enable.isPending} onClick={() => enable.mutate()}>
          <CirclePlay /> Enable
        </Button>
      )}
    </RowMenu>
  );
}
