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
    /** For whom this running request counts. null: it has no valid token. */
    holders: readonly Holder[] | null;
    /** How many bytes of the body and the reply of this request are counted as in memory, for `heldBytesOf`. */
    heldBytes: number;
    heldBytesOf: readonly Holder[] | null;
    /** The part of `heldBytes` that is only an estimate for the reply. */
    reservedBytes: number;
  }
}

/** For whom requests and their bytes count. */
interface Holder {
  readonly key: string;
  /** The share of each limit that all requests of the holder together may take, from 0 to 1. */
  readonly part: number;
  /** The maximum number of running requests of the holder, also where `part` allows more. */
  readonly most?: number;
  /** How messages name the requests of the holder. */
  readonly whose: string;
}

const holderOfClient = (key: string): Holder => ({ key, part: 1 / 2, whose: 'of this client' });

/**
 * Visitors are people and programs with a link. If one client takes its half and visitors all they may take, a quarter is
 * left for other clients. The visitors of one client always leave a part to those of others, and one address leaves a part
 * to other visitors of the client. Many people can have the same address.
 */
const holdersOfVisitor = (clientId: string, address: string, mostPerAddress: number): readonly Holder[] => [
  { key: `visitors at ${address}`, part: 1 / 8, most: mostPerAddress, whose: 'by links from this address' },
  { key: `visitors of ${clientId}`, part: 3 / 16, whose: 'by links of this client' },
  { key: 'all visitors', part: 1 / 4, whose: 'by links' },
];

/** Counts running requests and their bytes in memory, until the reply is sent or the connection closes. */
export function requestHolds(limits: ConnectionLimits, table: ConnectionTable, onRefusal: (why: Refusal) => void) {
  const running = tally();
  const bytes = bytesInFlight(limits.bytesInFlight);

  const tooMany = (detail: string): Problem => new Problem('TOO_MANY_CONNECTIONS', detail, { retryAfterSeconds: 1 });
  const start = (request: FastifyRequest, holders: readonly Holder[]): void => {
    if (request.holders !== null) return;
    for (const { key, part, most = limits.all, whose } of holders) {
      const limit = Math.min(most, Math.ceil(limits.all * part));
      if (running.of(key) < limit) continue;
      onRefusal('client');
      throw tooMany(`${limit} requests ${whose} are running. Retry in 1 s.`);
    }
    for (const { key } of holders) running.add(key);
    request.holders = holders;
  };
  const holdersOf = (request: FastifyRequest): readonly Holder[] => {
    if (request.heldBytesOf === null || request.heldBytes === 0)
      request.heldBytesOf = request.holders ?? [holderOfClient(addressKey(request.callerAddress))];
    return request.heldBytesOf;
  };

  const hold = (request: FastifyRequest, count: number): void => {
    if (!bytes.hold(holdersOf(request), count)) {
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
      bytes.force(holdersOf(request), count);
      request.heldBytes += count;
    }
  };
  const giveBack = (request: FastifyRequest, count: number): void => {
    bytes.release(request.heldBytesOf ?? [], count);
    request.heldBytes -= count;
  };

  return {
    /**
     * Call this when a request begins. Throws TOO_MANY_CONNECTIONS if it counts for the address of its caller, who has too
     * many requests without a token.
     */
    begin: (request: FastifyRequest): void => {
      const connection = table.find(request.raw.socket);
      if (connection?.countsRequests !== true) return;
      if (table.countFor(connection, addressKey(request.callerAddress)) !== undefined)
        throw tooMany(
          `${limits.withoutTokenPerAddress} requests of this address run without a valid token. Retry in 1 s.`,
        );
    },
    /**
     * Call this when the token of a request is verified. Throws TOO_MANY_CONNECTIONS if too many requests of the client
     * are running.
     */
    authenticated: (request: FastifyRequest, clientId: string): void => {
      const connection = table.find(request.raw.socket);
      if (connection !== undefined) table.trust(connection);
      start(request, [holderOfClient(clientId)]);
    },
    /**
     * Call this when the link of a request is verified, with the client of the link. Throws TOO_MANY_CONNECTIONS if too
     * many requests by links are running, of its address, of the client or in total.
     */
    authenticatedByLink: (request: FastifyRequest, clientId: string): void => {
      const connection = table.find(request.raw.socket);
      if (connection !== undefined) table.trustRequest(connection);
      const address = addressKey(request.callerAddress);
      start(request, holdersOfVisitor(clientId, address, limits.withoutTokenPerAddress));
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
      for (const { key } of request.holders ?? []) running.remove(key);
      request.holders = null;
      giveBack(request, request.heldBytes);
      request.reservedBytes = 0;
    },
  };
}

/**
 * Counts the bytes of bodies and replies in memory. Each holder may use its part of the limit. A single body or reply
 * always fits, even if it is larger, because otherwise it could never be read.
 */
export function bytesInFlight(limit: number) {
  let all = 0;
  const perHolder = tally();
  /** Counts bytes without a check, because they are in memory already. */
  const force = (holders: readonly Held[], bytes: number): void => {
    all += bytes;
    for (const { key } of holders) perHolder.add(key, bytes);
  };
  return {
    /** Counts bytes if they fit for all holders. Returns whether they do. */
    hold: (holders: readonly Held[], bytes: number): boolean => {
      const isOver = ({ key, part }: Held): boolean => {
        const own = perHolder.of(key);
        return own > 0 && own + bytes > limit * part;
      };
      if (all >= limit || holders.some(isOver)) return false;
      force(holders, bytes);
      return true;
    },
    force,
    release: (holders: readonly Held[], bytes: number): void => {
      all -= bytes;
      for (const { key } of holders) perHolder.remove(key, bytes);
    },
  };
}

type Held = Pick<Holder, 'key' | 'part'>;
