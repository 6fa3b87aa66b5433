import type { ClientLimits } from './client-limits.ts';
import { hint, UPLOAD_FILE } from './hint.ts';
import { pathError } from './media-path.ts';
import type { BucketGrant, MediaRoot, UrlInputs } from './media-root.ts';

export const SCOPES = ['jobs:read', 'jobs:write', 'files:read', 'files:write', 'admin'] as const;

/** A permission of a token. `admin` includes the other scopes and gives access to the jobs of all clients. */
export type Scope = (typeof SCOPES)[number];

/** The scopes of a client that is added without `--scope`. */
export const DEFAULT_SCOPES: readonly Scope[] = ['jobs:read', 'jobs:write', 'files:read', 'files:write'];

/** The id of the client that the first start of the service adds. */
export const ADMIN_CLIENT_ID = 'admin';

/** The client that sends a request. Its token has been verified. */
export interface Caller {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  /** The trace that the request belongs to; see `Job.traceParent`. */
  readonly traceParent?: string;
  /** Aborted if the client disconnects before the reply. Absent: the call goes on. */
  readonly hangUp?: AbortSignal;
}

export const allows = (caller: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  caller.scopes.includes(scope) || caller.scopes.includes('admin');

/** The limits that can forbid a client to use URLs and other buckets. */
export type StoreLimits = Pick<ClientLimits, 'buckets' | 'urls'>;

/** The inputs and outputs that a client may name in addition to files of its media root. */
interface AllowedStores {
  readonly grants: readonly BucketGrant[];
  readonly urls: UrlInputs | undefined;
}

/** The buckets and URLs that a client may use: the settings of the service allow them, and the limits of the client do not forbid them. */
export const allowedStores = ({ grants, urls }: AllowedStores, limits: StoreLimits): AllowedStores => ({
  // Pass no grants, so that errors do not name the buckets that exist.
  grants: limits.buckets === 0 ? [] : grants,
  urls: urls !== undefined && limits.urls === 0 ? NO_URLS : urls,
});

const NO_URLS: UrlInputs = {
  check: () =>
    pathError(
      'STORAGE_NOT_ALLOWED',
      'Inputs from URLs are not allowed for this client.',
      hint`Upload the file (${UPLOAD_FILE}) and send its path in your media root, or ask the operator to lift the limit "urls".`,
    ),
};
