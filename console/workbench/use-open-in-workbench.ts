import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import type { MendedJob } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { storeReplaced } from './replaced-draft.ts';
import { readDraft, storeDraft } from './stored-draft.ts';

/**
 * Returns a function that opens the workbench with a request. The request replaces the current draft, which is kept:
 * the workbench offers to go back to it. `mends`: the failed job of the request, whose failure stays visible.
 */
export function useOpenInWorkbench(): (request: ConversionRequest, mends?: MendedJob) => Promise<void> {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return async (request, mends) => {
    if (session) {
      storeReplaced(session.clientId, readDraft(session.clientId));
      const draft = draftFromRequest(request);
      storeDraft(session.clientId, mends === undefined ? draft : { ...draft, mends });
    }
    await navigate({ to: '/' });
  };
}
