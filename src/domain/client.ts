import type { ClientLimits } from './client-limits.ts';
import type { MediaRoot } from './media-root.ts';

export const SCOPES = ['jobs:read', 'jobs:write', 'files:read', 'files:write', 'admin'] as const;

/** A permission of a token. `admin` includes the other scopes and gives access to the jobs of all clients. */
export type Scope = (typeof SCOPES)[number];

/** The scopes of a client that is added without `--scope`. */
export const DEFAULT_SCOPES: readonly Scope[] = ['jobs:read', 'jobs:write', 'files:read', 'files:write'];

/** The client that the first start adds. */
export const ADMIN_CLIENT_ID = 'admin';

/** The client that sends a request, after its token was verified. */
export interface Caller {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly root: MediaRoot;
  /** The limits of its conversions. */
  readonly policy: ClientLimits;
  /** The trace that its request belongs to; see `Job.traceParent`. */
  readonly traceParent?: string;
}

export const allows = (caller: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  caller.scopes.includes(scope) || caller.scopes.includes('admin');
