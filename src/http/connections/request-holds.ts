import type { FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { tally } from '../../domain/tally.ts';
import { addressKey } from './caller-address.ts';
import type { ConnectionLimits, ConnectionTable, Refusal } from './connection-table.ts';

declare module 'fastify' {
  interface FastifyInstance {
    requestHolds: RequestHolds;
  }
  interface FastifyRequest {
    /** The client for whose running requests the request counts. null without a valid token. */
    heldClient: string | null;
    /** The bytes of its body and its reply that count for `heldBytesOf`. */
    heldBytes: number;
    heldBytesOf: string;
    /** Those of them that are reserved for its reply, which is not made yet. */
    reservedBytes: number;
  }
}

/** What a request counts for until its reply is sent or its connection closes. */
interface RequestHolds {
  /** Throws TOO_MANY_CONNECTIONS if the caller behind a trusted proxy has too many requests without a token. */
  begin(request: FastifyRequest): void;
  /** The token of the request is valid. Throws TOO_MANY_CONNECTIONS if its client has too many running requests. */
  authenticated(request: FastifyRequest, clientId: string): void;
  /** Counts bytes of the request's body. Throws UNAVAILABLE if there is no room. */
  holdBytes(request: FastifyRequest, bytes: number): void;
  /**
   * Counts the estimated bytes of a reply before the reply is made. Throws UNAVAILABLE if the limit of bytes in flight is reached,
   * except for a request that has changed something.
   */
  reserveReply(request: FastifyRequest, bytes: number): void;
  /** Replaces the estimate of `reserveReply` by the bytes of the reply. Throws the same error. */
  holdReply(request: FastifyRequest, bytes: number): void;
  release(request: FastifyRequest): void;
}

export function requestHolds(
  limits: ConnectionLimits,
  table: ConnectionTable,
  onRefusal: (why: Refusal) => void,
): RequestHolds {
  const perClient = tally();
  const clientLimit = Math.floor(limits.all / 2);
  const bytes = bytesInFlight(limits.bytesInFlight);

  const tooMany = (detail: string): Problem => new Problem('TOO_MANY_CONNECTIONS', detail, { retryAfterSeconds: 1 });
  const holderOf = (request: FastifyRequest): string => {
    if (request.heldBytes === 0) request.heldBytesOf = request.caller?.clientId ?? addressKey(request.callerAddress);
    return request.heldBytesOf;
  };

  const hold = (request: FastifyRequest, count: number): void => {
    if (!bytes.hold(holderOf(request), count)) {
      onRefusal('bytes');
      throw new Problem(
        'UNAVAILABLE',
        'The bodies and replies that are on their way use all the memory that the service has for them. Retry in 5 s.',
        { retryAfterSeconds: 5 },
      );
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
    begin: (request) => {
      const connection = table.find(request.raw.socket);
      if (connection?.isProxied !== true) return;
      if (table.countFor(connection, addressKey(request.callerAddress)) !== undefined)
        throw tooMany(
          `${limits.withoutTokenPerAddress} requests of this address run without a valid token. Retry in 1 s.`,
        );
    },
    authenticated: (request, clientId) => {
      const connection = table.find(request.raw.socket);
      if (connection !== undefined) table.trust(connection);
      if (request.heldClient !== null) return;
      if (perClient.of(clientId) >= clientLimit) {
        onRefusal('client');
        throw tooMany(`${clientLimit} requests of this client are running. Retry in 1 s.`);
      }
      perClient.add(clientId);
      request.heldClient = clientId;
    },
    holdBytes: hold,
    reserveReply: (request, count) => {
      holdOrForce(request, count);
      request.reservedBytes += count;
    },
    holdReply: (request, count) => {
      giveBack(request, request.reservedBytes);
      request.reservedBytes = 0;
      holdOrForce(request, count);
    },
    release: (request) => {
      if (request.heldClient !== null) perClient.remove(request.heldClient);
      request.heldClient = null;
      giveBack(request, request.heldBytes);
      request.reservedBytes = 0;
    },
  };
}

/**
 * The bytes of bodies and replies in memory. One caller may hold half of the limit, so that it cannot keep out others. A single
 * one of any size fits: otherwise, what is larger than the limit could never be read.
 */
interface BytesInFlight {
  /** Returns false if there is no room. */
  hold(caller: string, bytes: number): boolean;
  /** Counts bytes that are in memory already, whether there is room or not. */
  force(caller: string, bytes: number): void;
  release(caller: string, bytes: number): void;
}

export function bytesInFlight(limit: number): BytesInFlight {
  let all = 0;
  const perCaller = tally();
  const force = (caller: string, bytes: number): void => {
    all += bytes;
    perCaller.add(caller, bytes);
  };
  return {
    hold: (caller, bytes) => {
      const held = perCaller.of(caller);
      if (all >= limit || (held > 0 && held + bytes > limit / 2)) return false;
      force(caller, bytes);
      return true;
    },
    force,
    release: (caller, bytes) => {
      all -= bytes;
      perCaller.remove(caller, bytes);
    },
  };
}
