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
    /** What this running request holds. null: it has not begun, or it has ended and must hold nothing more. */
    held: Held | null;
  }
}

interface Held {
  /** For whom the request and its bytes count. Without a valid token, that is the address of its caller. */
  holders: readonly Holder[];
  /** Whether the request counts as a running request of its holders. Only a request with a valid token does. */
  isRunning: boolean;
  /** How many bytes of its body and its reply are counted as in memory. */
  bytes: number;
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
  const start = ({ held }: FastifyRequest, holders: readonly Holder[]): void => {
    if (held === null || held.isRunning) return;
    for (const { key, part, most = limits.all, whose } of holders) {
      const limit = Math.min(most, Math.ceil(limits.all * part));
      if (running.of(key) < limit) continue;
      onRefusal('client');
      throw tooMany(`${limit} requests ${whose} are running. Retry in 1 s.`);
    }
    for (const { key } of holders) running.add(key);
    Object.assign(held, { holders, isRunning: true });
  };
  const requireRoom = ({ held }: FastifyRequest, count: number): void => {
    if (held === null || bytes.fits(held.holders, count)) return;
    onRefusal('bytes');
    throw new Problem('UNAVAILABLE', 'Requests and replies use all memory that is reserved for them. Retry in 5 s.', {
      retryAfterSeconds: 5,
    });
  };
  const add = ({ held }: FastifyRequest, count: number): void => {
    if (held === null) return;
    bytes.add(held.holders, count);
    held.bytes += count;
  };

  return {
    /**
     * Call this when a request begins. Throws TOO_MANY_CONNECTIONS if it counts for the address of its caller, who has too
     * many requests without a token.
     */
    begin: (request: FastifyRequest): void => {
      const address = addressKey(request.callerAddress);
      request.held = { holders: [holderOfClient(address)], isRunning: false, bytes: 0 };
      const connection = table.find(request.raw.socket);
      if (connection?.countsRequests !== true) return;
      if (table.countFor(connection, address) !== undefined)
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
    /** Throws UNAVAILABLE if so many bytes would be too many in memory. */
    requireRoom,
    /** Counts the bytes of a request body. Throws UNAVAILABLE if too many bytes are in memory. */
    holdBody: (request: FastifyRequest, count: number): void => {
      requireRoom(request, count);
      add(request, count);
    },
    /**
     * Counts the bytes of a reply. Throws UNAVAILABLE if too many bytes are in memory, except for a request that may
     * already have changed something.
     */
    holdReply: (request: FastifyRequest, count: number): void => {
      if (request.method === 'GET' || request.method === 'HEAD') requireRoom(request, count);
      add(request, count);
    },
    release: (request: FastifyRequest): void => {
      const { held } = request;
      request.held = null;
      if (held === null) return;
      if (held.isRunning) for (const { key } of held.holders) running.remove(key);
      bytes.remove(held.holders, held.bytes);
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
  return {
    fits: (holders: readonly Share[], bytes: number): boolean =>
      all < limit &&
      holders.every(({ key, part }) => perHolder.of(key) === 0 || perHolder.of(key) + bytes <= limit * part),
    add: (holders: readonly Share[], bytes: number): void => {
      all += bytes;
      for (const { key } of holders) perHolder.add(key, bytes);
    },
    remove: (holders: readonly Share[], bytes: number): void => {
      all -= bytes;
      for (const { key } of holders) perHolder.remove(key, bytes);
    },
  };
}

type Share = Pick<Holder, 'key' | 'part'>;
