import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { readClientLimits } from '@telecine/service/config/client-limits.ts';

export interface SetFlags {
  readonly root?: string;
  readonly scope?: readonly string[];
  /** `key=value` texts. */
  readonly limit?: readonly string[];
}

export interface AddFlags extends SetFlags {
  readonly external?: string;
  readonly yes?: boolean;
}

/** A client to show, from the store or from a service. */
export interface ShownClient {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly root: string;
  readonly limits?: Limits;
  readonly externalSubject?: string | undefined;
  readonly previousSecretExpiresAt?: string | undefined;
  readonly createdAt: string;
  readonly lastUsedAt?: string | undefined;
  readonly revokedAt?: string | undefined;
}

export type Limits = Readonly<Record<string, number | null | undefined>> | undefined;

export type WithSecret = ShownClient & { readonly clientSecret?: string | undefined };

/** Manages clients in the store of a service, or over HTTP. Each operation throws an error whose text can be printed. */
export interface ManagedClients {
  /**
   * Adds a client. Calls `confirmFolder` before a folder with content becomes the media root. `confirmFolder` throws if the operator says
   * no.
   */
  add(name: string, flags: AddFlags, confirmFolder: (risk: string) => Promise<void>): Promise<WithSecret>;
  /** At least one member of `flags` must be set. */
  change(name: string, flags: SetFlags): Promise<ShownClient>;
  list(): Promise<readonly ShownClient[]>;
  /** `graceHours`: for how long the old secret still works. */
  rotate(name: string, graceHours: number): Promise<WithSecret>;
  revoke(name: string): Promise<Pick<ShownClient, 'clientId' | 'revokedAt'>>;
}

/** Reads the values of `--limit`. Throws INVALID_REQUEST for an invalid limit. */
export function readLimits(texts: readonly string[]): ClientLimitChanges {
  try {
    return readClientLimits(texts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidRequest([{ field: '/limit', code: 'BAD_LIMIT', message: `Invalid --limit: ${reason}.` }]);
  }
}
