import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import { type OpenedRequest, openRequest } from './draft-history.ts';
import { readHistory, storeHistory } from './stored-draft.ts';

/**
 * Returns a function that opens the workbench with a request. The request replaces the current draft, and the workbench
 * offers to undo that.
 */
export function useOpenInWorkbench(): (
  request: ConversionRequest,
  options?: Omit<OpenedRequest, 'request'>,
) => Promise<void> {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return async (request, options) => {
    if (session) {
      const { clientId } = session;
      storeHistory(clientId, openRequest(readHistory(clientId), { request, ...options }));
    }
    await navigate({ to: '/' });
  };
}
