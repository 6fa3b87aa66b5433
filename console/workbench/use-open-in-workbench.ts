import { useNavigate } from '@tanstack/react-router';
import type { ConversionRequest, Watch } from '@telecine/client';
import { useSession } from '../session/use-session.ts';
import { type OpenedRequest, openRequest } from './draft-history.ts';
import { readHistory, storeHistory } from './stored-draft.ts';

/**
 * Returns a function that opens the workbench with a request. The request replaces the current draft, and the workbench
 * offers to undo that.
 */
export function useOpenInWorkbench(): (
  request: ConversionRequest,
  options?: Omit<OpenedRequest, 'request'> & {
    /** The watch whose settings it has. */
    readonly of?: Pick<Watch, 'watchId'> | undefined;
  },
) => Promise<void> {
  const navigate = useNavigate();
  const { data: session } = useSession();
  return async (request, { of, ...options } = {}) => {
    if (session) {
      const { clientId } = session;
      storeHistory(clientId, openRequest(readHistory(clientId), { request, ...options }));
    }
    await navigate({ to: '/', search: of === undefined ? {} : { watch: of.watchId } });
  };
}
