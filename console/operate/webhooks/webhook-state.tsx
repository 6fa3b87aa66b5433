import type { Webhook } from '@telecine/client';
import { Age } from '../../ui/moment.tsx';
import { Status } from '../../ui/status.tsx';

const REASONS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  CLIENT: 'Disabled',
  GONE: 'Disabled: the receiver replied 410',
  FAILING: 'Disabled: all deliveries failed for days',
};

/** Whether a webhook is enabled, and whether its deliveries fail. */
export function WebhookState({ webhook: { enabled, disabledReason, failingSince } }: { readonly webhook: Webhook }) {
  if (!enabled) return <Status tone="soft">{REASONS[disabledReason ?? 'CLIENT']}</Status>;
  if (failingSince !== undefined)
    return (
      <Status tone="bad">
        Failing for <Age since={failingSince} />
      </Status>
    );
  return <Status tone="good">Enabled</Status>;
}
