import { DEFAULT_SCOPES } from '../../domain/client.ts';
import type { ClientLimitChanges } from '../../domain/client-limits.ts';
import { closestMatch } from '../../domain/closest-match.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
import { checkExternalSubject } from '../external-subject.ts';
import type { ClientRecord, ClientStore, RefreshStore } from '../ports.ts';
import { readScopes } from '../scopes.ts';
import { checkClientName } from './client-name.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** A client without the hash of its secret. */
export type ClientView = Omit<ClientRecord, 'secretHash'>;

/** A secret is shown here and never again. */
export interface NewSecret {
  readonly client: ClientView;
  readonly clientSecret: string;
}

interface AddOptions {
  /** Absolute, existing, symlinks resolved; none: the service's own. */
  readonly root?: string;
  /** None: the default ones. */
  readonly scopes?: readonly string[];
  readonly limits?: ClientLimitChanges;
}

/** What an operator does with clients. Each throws `Problem`: INVALID_REQUEST, or NOT_FOUND for a name not known. */
export interface Clients {
  add(name: string, options?: AddOptions): Promise<NewSecret>;
  /**
   * A client without a secret: who comes with a token of the external issuer that has this subject is this client.
   * `rotate` may give it a secret besides. Options as for `add`.
   */
  addExternal(name: string, subject: string, options?: AddOptions): Promise<ClientView>;
  /** Changes the limits that `changes` names; those of jobs that run are as they were. */
  limit(name: string, changes: ClientLimitChanges): Promise<ClientView>;
  /** By name. */
  list(): Promise<readonly ClientView[]>;
  /** A new secret; the old one and all tokens are void. */
  rotate(name: string): Promise<NewSecret>;
  /** Ends the client and all its tokens for good; doing it again changes nothing. Its name stays taken. */
  revoke(name: string): Promise<ClientView>;
}

interface Deps {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const view = ({ secretHash: _, ...rest }: ClientRecord): ClientView => rest;

const refused = (code: string, message: string, fix: string): Problem =>
  invalidRequest([{ field: '/name', code, message, fix }]);

/** Gives the client another secret. The record changes first: the check of a token being made looks there. */
export async function replaceSecret({ clients, refreshTokens, now }: Deps, name: string, secret: string) {
  const secretHash = await hashSecret(secret);
  await clients.update(name, { secretHash, tokensNotBefore: new Date(now()).toISOString() });
  await refreshTokens.revokeClient(name);
}

export function createClients(deps: Deps): Clients {
  const { clients, refreshTokens, now } = deps;

  async function find(name: string): Promise<ClientRecord> {
    const client = await clients.get(name);
    if (client !== undefined) return client;
    const names = (await clients.list()).map(({ clientId }) => clientId);
    const near = closestMatch(name, names);
    throw new Problem(
      'NOT_FOUND',
      `There is no client "${name.slice(0, 80)}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    );
  }

  async function enter(
    name: string,
    secret: string,
    { root, scopes = [], limits }: AddOptions = {},
    externalSubject?: string,
  ): Promise<ClientView> {
    checkClientName(name);
    const asked = readScopes(scopes);
    const client: ClientRecord = {
      clientId: name,
      secretHash: await hashSecret(secret),
      scopes: asked.length === 0 ? DEFAULT_SCOPES : asked,
      createdAt: new Date(now()).toISOString(),
      ...(root === undefined ? {} : { root }),
      ...(limits === undefined ? {} : { limits }),
      ...(externalSubject === undefined ? {} : { externalSubject }),
    };
    if (await clients.add(client)) return view(client);
    const holder = externalSubject === undefined ? undefined : await clients.findExternal(externalSubject);
    if (holder !== undefined)
      throw refused(
        'SUBJECT_TAKEN',
        `The subject is that of the client "${holder.clientId}".`,
        'Revoke that client first.',
      );
    throw refused('NAME_TAKEN', `There is a client "${name}" already.`, 'Take another name, or rotate its secret.');
  }

  return {
    async add(name, options) {
      const clientSecret = newSecret();
      return { client: await enter(name, clientSecret, options), clientSecret };
    },

    async addExternal(name, subject, options) {
      checkExternalSubject(subject);
      return enter(name, newSecret(), options, subject);
    },

    async limit(name, changes) {
      const { limits } = await find(name);
      await clients.update(name, { limits: { ...limits, ...changes } });
      return view(await find(name));
    },

    async list() {
      const all = await clients.list();
      return all.map(view).sort((a, b) => (a.clientId < b.clientId ? -1 : 1));
    },

    async rotate(name) {
      if ((await find(name)).revokedAt !== undefined)
        throw refused('REVOKED', `The client "${name}" is revoked and stays so.`, 'Add a client under another name.');
      const clientSecret = newSecret();
      await replaceSecret(deps, name, clientSecret);
      return { client: view(await find(name)), clientSecret };
    },

    async revoke(name) {
      const client = await find(name);
      const at = new Date(now()).toISOString();
      if (client.revokedAt === undefined) await clients.update(name, { revokedAt: at, tokensNotBefore: at });
      // Also the second time: the first may have been cut short here.
      await refreshTokens.revokeClient(name);
      return view(await find(name));
    },
  };
}
