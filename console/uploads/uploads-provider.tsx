import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { useConnection } from '../jobs/live-jobs-connection.tsx';
import type { UploadItem } from './upload-item.ts';
import { Uploads } from './uploads.ts';

export const UploadsContext = createContext<Uploads | undefined>(undefined);

/** The uploads of this page, by client. They continue while the user signs in again. */
const ALL = new Map<string, Uploads>();

function uploadsOf(clientId: string): Uploads {
  const uploads = ALL.get(clientId) ?? new Uploads(clientId);
  ALL.set(clientId, uploads);
  return uploads;
}

/** Provides the uploads of the signed-in client to all pages. */
export function UploadsProvider({ clientId, children }: { readonly clientId: string; readonly children: ReactNode }) {
  const [uploads] = useState(() => uploadsOf(clientId));
  const connection = useConnection();
  useEffect(() => {
    if (connection === 'live') uploads.retry();
  }, [connection, uploads]);
  return <UploadsContext value={uploads}>{children}</UploadsContext>;
}

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === undefined) throw new Error('useUploads needs an UploadsProvider.');
  return uploads;
}

/** The current state of all uploads. */
export function useUploadItems(): readonly UploadItem[] {
  const uploads = useUploads();
  const subscribe = useCallback((onChange: () => void) => uploads.watch(onChange), [uploads]);
  return useSyncExternalStore(subscribe, () => uploads.items);
}
