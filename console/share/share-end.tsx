import type { Share } from '@telecine/client';
import { Moment } from '../ui/moment.tsx';

/** When a link has ended, and by whom it was revoked. */
export function ShareEnd({ share: { revokedAt, revokedBy, expiresAt } }: { readonly share: Share }) {
  if (revokedAt === undefined)
    return (
      <>
        Ended on <Moment at={expiresAt} isExact />
      </>
    );
  return (
    <>
      Revoked on <Moment at={revokedAt} isExact /> by {revokedBy}
    </>
  );
}
