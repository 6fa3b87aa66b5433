import type { TokensView } from '../../../packages/contract/src/wire/token.ts';
import { must } from '../../../scripts/lib/api.ts';
import { contractChecker, type Exchange } from '../../support/openapi-contract.ts';
import type { SeededChoices } from '../soak/seeded-choices.ts';
import { ConnectionLost, createSoakClient, type SoakClient, UnexpectedReply } from '../soak/soak-client.ts';
import { ADMIN } from './cluster.ts';
import type { Member } from './member.ts';

/** How long a client waits for a reply. A paused service gives none. */
const REPLY_MS = 10_000;

/** How long a read is tried at other services. */
const READ_MS = 120_000;

/**
 * A client of all members that serve the API. A call that changes something goes to one service, and throws `ConnectionLost` if that is
 * down or says 503: what became of it is unknown. A read is repeated at others.
 */
export function createClusterClient(members: readonly Member[], chance: SeededChoices): SoakClient {
  const services = members.filter(({ command }) => command === 'serve');
  const tokens = new Map<Member, string>();
  let contract: ((exchange: Exchange) => void) | undefined;

  const pickOne = (): Member => {
    const member = services[Math.floor(chance.between(0, services.length))];
    if (member === undefined) throw new Error('There is no service.');
    return member;
  };

  const clientOf = async (member: Member): Promise<SoakClient> => {
    const url = member.url();
    if (url === undefined) throw new ConnectionLost(member.name);
    contract ??= contractChecker(await (await fetch(`${url}/openapi.json`)).json());
    const token = tokens.get(member) ?? (await must<TokensView>(`${url}/api/auth/token`, { body: ADMIN })).accessToken;
    tokens.set(member, token);
    return createSoakClient(url, token, contract, AbortSignal.timeout(REPLY_MS));
  };

  async function callOnce<T>(use: (client: SoakClient) => Promise<T>): Promise<T> {
    const member = pickOne();
    for (let logins = 0; ; logins += 1) {
      const limit = AbortSignal.timeout(REPLY_MS);
      const late = new Promise<never>((_, reject) =>
        limit.addEventListener('abort', () => reject(new ConnectionLost(`${member.name}: no reply`))),
      );
      late.catch(() => {});
      const client = await Promise.race([clientOf(member), late]).catch((cause: unknown) => {
        throw new ConnectionLost(member.name, { cause });
      });
      try {
        return await use(client);
      } catch (error) {
        if (!(error instanceof UnexpectedReply)) throw error;
        // The clock of the service was set, so its token has expired. It must accept the next one.
        if (error.message.includes('→ 401') && logins === 0) {
          tokens.delete(member);
          continue;
        }
        if (error.message.includes('→ 503')) throw new ConnectionLost(error.message);
        throw error;
      }
    }
  }

  async function read<T>(use: (client: SoakClient) => Promise<T>): Promise<T> {
    const deadline = performance.now() + READ_MS;
    for (;;)
      try {
        return await callOnce(use);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || performance.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
  }

  return {
    submit: (request, key) => callOnce((client) => client.submit(request, key)),
    cancel: (jobId) => callOnce((client) => client.cancel(jobId)),
    get: (jobId) => read((client) => client.get(jobId)),
    newest: () => read((client) => client.newest()),
    all: () => read((client) => client.all()),
  };
}
