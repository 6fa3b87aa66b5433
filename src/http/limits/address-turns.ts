import type { FastifyRequest } from 'fastify';
import { addressKey } from '../connections/address-key.ts';
import { clientTurns } from './client-turns.ts';

declare module 'fastify' {
  interface FastifyInstance {
    addressTurns: AddressTurns;
  }
}

/**
 * Resolves when a request without a valid token may begin or be rejected. undefined: at once. Requests of one address take turns
 * like requests of one client. Each `kind` has its own turns, so that checks of the health do not wait for rejected tokens.
 */
export type AddressTurns = (request: Pick<FastifyRequest, 'callerAddress'>, kind?: string) => Promise<void> | undefined;

/** Creates the turns. */
export function addressTurns(turns = clientTurns()): AddressTurns {
  return ({ callerAddress }, kind = 'refused') => turns(`${kind} ${addressKey(callerAddress)}`);
}
