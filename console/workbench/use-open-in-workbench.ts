import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import type { MendedJob } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { storeDraft } from './stored-draft.ts';

/**
 * Returns a function that opens the workbench with a request. The request replaces the current draft. `mends`: the failed job of the request,
 * whose failure stays visible.
 */
export function useOpenInWorkbench(): (request: ConversionRequest, mends?: MendedJob) => Promise<void> {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return async (request, mends) => {
    const draft = draftFromRequest(request);
    if (session) storeDraft(session.clientId, mends === undefined ? draft : { ...draft, mends });
    await navigate({ to: '/' });
  };
}
