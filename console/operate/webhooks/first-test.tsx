import { useMutation } from '@tanstack/react-query';
import Send from 'lucide-react/icons/send';
import { client } from '../../app/client.ts';
import { Button } from '../../ui/button.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import styles from '../operate-page.module.css';

/** Sends a test to a new webhook, once its receiver has the secret. The page of the webhook shows the reply. */
export function FirstTest({ webhookId }: { readonly webhookId: string }) {
  const test = useMutation({ mutationFn: () => client.testWebhook(webhookId) });
  return (
    <>
      <div className={styles.actions}>
        <Button variant="quiet" disabled={test.isPending || test.isSuccess} onClick={() => test.mutate()}>
          <Send /> Send a test
        </Button>
      </div>
      <p role="status" className={styles.soft}>
        {test.isSuccess ? 'Sent. The page of the webhook shows the reply of your receiver.' : ''}
      </p>
      {test.error !== null && <ProblemNotice error={test.error} />}
    </>
  );
}
