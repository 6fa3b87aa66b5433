import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { storeDraft } from './stored-draft.ts';

/** Returns a function that opens the workbench with a request. The request replaces the current draft. */
export function useOpenInWorkbench(): (request: ConversionRequest) => Promise<void> {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return async (request) => {
    if (session) storeDraft(session.clientId, draftFromRequest(request));
    await navigate({ to: '/' });
  };
}
