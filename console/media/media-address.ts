import type { Job, PreviewQuery } from '@telecine/client';

/** Returns the URL of a file, which needs the session of the browser. With `preview`, returns the URL of an image of the file. */
export type MediaAddress = (preview?: PreviewQuery & { readonly compare?: string }) => string;

/** The width of images that the service renders of a video for its player. */
export const PREVIEW_WIDTH = 960;

const withQuery = (address: string, query: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? address : `${address}?${text}`;
};

/** Encodes each path segment separately, so that relative URLs in a playlist work. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Whether the file is in the media root, so that the page can show it. URLs and files in other buckets are not. */
export const isStored = (path: string): boolean => path !== '' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(path);

/** The URL of a file in the media root. */
export const fileAddress =
  (path: string): MediaAddress =>
  (preview = {}) =>
    withQuery(`/api/files/${encodePath(path)}`, preview);

/** The URL of an output of a job. undefined: the job has no outputs (any more). */
export const outputAddress = ({ links: { output } }: Pick<Job, 'links'>, path: string): MediaAddress | undefined =>
  output === undefined ? undefined : (preview = {}) => withQuery(output, { path, ...preview });
