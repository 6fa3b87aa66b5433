import type { Webhook } from '@telecine/client';
import { formatMoment } from '../../ui/format.ts';
import { State } from '../state.tsx';

const REASONS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  CLIENT: 'Disabled',
  GONE: 'Disabled: the receiver replied 410',
  FAILING: 'Disabled: all deliveries failed for days',
};

/** Whether a webhook is enabled, and whether its deliveries fail. */
export function WebhookState({ webhook: { enabled, disabledReason, failingSince } }: { readonly webhook: Webhook }) {
  if (!enabled) return <State tone="soft">{REASONS[disabledReason ?? 'CLIENT']}</State>;
  if (failingSince !== undefined) return <State tone="bad">Failing since {formatMoment(failingSince)}</State>;
  return <State tone="good">Enabled</State>;
}
