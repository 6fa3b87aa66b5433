import type { PreviewQuery } from '@telecine/client';

/** Whether the service stores the file under this path, so that it can be downloaded and shown. URLs and buckets are elsewhere. */
export const isStored = (path: string): boolean => path !== '' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** The address of a stored file, or of a picture of it. Browsers send the session with it. */
export function fileUrl(path: string, preview: PreviewQuery = {}): string {
  const query = new URLSearchParams(Object.entries(preview).map(([name, value]) => [name, String(value)])).toString();
  return `/api/files/${path.split('/').map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}
