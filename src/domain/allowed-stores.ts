import type { ClientLimits } from './client-limits.ts';
import { hint, UPLOAD_FILE } from './hint.ts';
import type { BucketGrant, UrlInputs } from './media-root.ts';

/** The limits that forbid a client what the settings of the service allow. */
export type StoreLimits = Pick<ClientLimits, 'buckets' | 'urls'>;

/** What a client may name besides the files of its media root. */
export interface AllowedStores {
  readonly grants: readonly BucketGrant[];
  readonly urls: UrlInputs | undefined;
}

/** What is left of `stores`, which the settings of the service allow, under the limits of a client. */
export const allowedStores = ({ grants, urls }: AllowedStores, limits: StoreLimits): AllowedStores => ({
  // As without such buckets, so that nobody can find out which ones exist.
  grants: limits.buckets === 0 ? [] : grants,
  urls: urls !== undefined && limits.urls === 0 ? NO_URLS : urls,
});

const NO_URLS: UrlInputs = {
  check: () => ({
    code: 'STORAGE_NOT_ALLOWED',
    message: 'Inputs from URLs are not allowed for this client.',
    fix: hint`Upload the file (${UPLOAD_FILE}) and send its path in your media root, or ask the operator to lift the limit "urls".`,
  }),
};
