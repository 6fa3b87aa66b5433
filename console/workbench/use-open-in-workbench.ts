import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { type OpenedJob, storeOpened } from './opened-job.ts';
import { readDraft, storeDraft } from './stored-draft.ts';

/**
 * Returns a function that opens the workbench with a request. The request replaces the current draft, which is kept:
 * the workbench offers to go back to it. `job`: the job whose request it is.
 */
export function useOpenInWorkbench(): (request: ConversionRequest, job?: OpenedJob['job']) => Promise<void> {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return async (request, job) => {
    if (session) {
      storeOpened(session.clientId, { replaced: readDraft(session.clientId), ...(job && { job }) });
      storeDraft(session.clientId, draftFromRequest(request));
    }
    await navigate({ to: '/' });
  };
}
