import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { useConnection } from '../jobs/live-jobs-provider.tsx';
import type { UploadItem } from './upload-item.ts';
import { Uploads } from './uploads.ts';

const Context = createContext<Uploads | undefined>(undefined);

/** Keeps the uploads of the client that is signed in, whichever page is shown. */
export function UploadsProvider({ clientId, children }: { readonly clientId: string; readonly children: ReactNode }) {
  const [uploads] = useState(() => new Uploads(clientId));
  const connection = useConnection();
  useEffect(() => {
    if (connection === 'live') uploads.retry();
  }, [connection, uploads]);
  return <Context value={uploads}>{children}</Context>;
}

export function useUploads(): Uploads {
  const uploads = useContext(Context);
  if (uploads === undefined) throw new Error('useUploads needs an UploadsProvider.');
  return uploads;
}

/** All uploads, as they are now. */
export function useUploadItems(): readonly UploadItem[] {
  const uploads = useUploads();
  const subscribe = useCallback((onChange: () => void) => uploads.watch(onChange), [uploads]);
  return useSyncExternalStore(subscribe, () => uploads.items);
}
