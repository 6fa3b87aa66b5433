import { Problem } from '@telecine/contract/domain/problem.ts';
import { tally } from '@telecine/contract/domain/tally.ts';
import type { FastifyRequest } from 'fastify';
import { addressKey } from '../../auth/address-key.ts';
import type { ConnectionLimits, ConnectionTable, Refusal } from './connection-table.ts';

declare module 'fastify' {
  interface FastifyInstance {
    requestHolds: ReturnType<typeof requestHolds>;
  }
  interface FastifyRequest {
    /** The client, or the visitors of its links, for which this running request counts. null: it has no valid token. */
    heldClient: string | null;
    /** How many bytes of the body and the reply of this request are counted as in memory, for `heldBytesOf`. */
    heldBytes: number;
    heldBytesOf: string;
    /** The part of `heldBytes` that is only an estimate for the reply. */
    reservedBytes: number;
  }
}

/** Counts running requests and their bytes in memory, until the reply is sent or the connection closes. */
export function requestHolds(limits: ConnectionLimits, table: ConnectionTable, onRefusal: (why: Refusal) => void) {
  const perClient = tally();
  const clientLimit = Math.floor(limits.all / 2);
  const bytes = bytesInFlight(limits.bytesInFlight);

  const tooMany = (detail: string): Problem => new Problem('TOO_MANY_CONNECTIONS', detail, { retryAfterSeconds: 1 });
  const holderOf = (request: FastifyRequest): string => {
    if (request.heldBytes === 0) request.heldBytesOf = request.heldClient ?? addressKey(request.callerAddress);
    return request.heldBytesOf;
  };

  const hold = (request: FastifyRequest, count: number): void => {
    if (!bytes.hold(holderOf(request), count)) {
      onRefusal('bytes');
      throw new Problem('UNAVAILABLE', 'Requests and replies use all memory that is reserved for them. Retry in 5 s.', {
        retryAfterSeconds: 5,
      });
    }
    request.heldBytes += count;
  };
  const holdOrForce = (request: FastifyRequest, count: number): void => {
    if (request.method === 'GET' || request.method === 'HEAD') hold(request, count);
    else {
      bytes.force(holderOf(request), count);
      request.heldBytes += count;
    }
  };
  const giveBack = (request: FastifyRequest, count: number): void => {
    bytes.release(request.heldBytesOf, count);
    request.heldBytes -= count;
  };

  return {
    /**
     * Call this when a request begins. Throws TOO_MANY_CONNECTIONS for a caller behind a trusted proxy who has too many
     * requests without a token.
     */
    begin: (request: FastifyRequest): void => {
      const connection = table.find(request.raw.socket);
      if (connection?.isProxied !== true) return;
      if (table.countFor(connection, addressKey(request.callerAddress)) !== undefined)
        throw tooMany(
          `${limits.withoutTokenPerAddress} requests of this address run without a valid token. Retry in 1 s.`,
        );
    },
    /**
     * Call this when the token of a request is verified. Throws TOO_MANY_CONNECTIONS if `holder` has too many running
     * requests: a client, or the visitors of its links.
     */
    authenticated: (request: FastifyRequest, holder: string): void => {
      const connection = table.find(request.raw.socket);
      if (connection !== undefined) table.trust(connection);
      if (request.heldClient !== null) return;
      if (perClient.of(holder) >= clientLimit) {
        onRefusal('client');
        throw tooMany(`${clientLimit} requests of this client are running. Retry in 1 s.`);
      }
      perClient.add(holder);
      request.heldClient = holder;
    },
    /** Counts the bytes of a request body. Throws UNAVAILABLE if too many bytes are in memory. */
    holdBytes: hold,
    /**
     * Counts the estimated bytes of a reply. Throws UNAVAILABLE if too many bytes are in memory, except for a request
     * that may already have changed something.
     */
    reserveReply: (request: FastifyRequest, count: number): void => {
      holdOrForce(request, count);
      request.reservedBytes += count;
    },
    /** Replaces the estimate of `reserveReply` by the actual bytes of the reply. Throws like `reserveReply`. */
    holdReply: (request: FastifyRequest, count: number): void => {
      giveBack(request, request.reservedBytes);
      request.reservedBytes = 0;
      holdOrForce(request, count);
    },
    release: (request: FastifyRequest): void => {
      if (request.heldClient !== null) perClient.remove(request.heldClient);
      request.heldClient = null;
      giveBack(request, request.heldBytes);
      request.reservedBytes = 0;
    },
  };
}

/**
 * Counts the bytes of bodies and replies in memory. One caller may use half of the limit. A single body or reply always
 * fits, even if it is larger, because otherwise it could never be read.
 */
export function bytesInFlight(limit: number) {
  let all = 0;
  const perCaller = tally();
  /** Counts bytes without a check, because they are in memory already. */
  const force = (caller: string, bytes: number): void => {
    all += bytes;
    perCaller.add(caller, bytes);
  };
  return {
    /** Counts bytes if they fit. Returns whether they do. */
    hold: (caller: string, bytes: number): boolean => {
      const own = perCaller.of(caller);
      if (all >= limit || (own > 0 && own + bytes > limit / 2)) return false;
      force(caller, bytes);
      return true;
    },
    force,
    release: (caller: string, bytes: number): void => {
      all -= bytes;
      perCaller.remove(caller, bytes);
    },
  };
}
