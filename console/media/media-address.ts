import type { Job, PreviewQuery } from '@telecine/client';

/** The address of a file with the session of the browser; with a preview, the address of an image of it. */
export type MediaAddress = (preview?: PreviewQuery & { readonly compare?: string }) => string;

const withQuery = (address: string, query: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? address : `${address}?${text}`;
};

/** Each segment is encoded by itself, so that relative addresses in a playlist lead to its neighbours. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Whether the service stores the file under this path, so that it can be downloaded and shown. URLs and buckets are elsewhere. */
export const isStored = (path: string): boolean => path !== '' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** A file of the media root. */
export const fileAddress =
  (path: string): MediaAddress =>
  (preview = {}) =>
    withQuery(`/api/files/${encodePath(path)}`, preview);

/** An output of a job. Undefined if the job has none any more. */
export const outputAddress = ({ links: { output } }: Pick<Job, 'links'>, path: string): MediaAddress | undefined =>
  output === undefined ? undefined : (preview = {}) => withQuery(output, { path, ...preview });
