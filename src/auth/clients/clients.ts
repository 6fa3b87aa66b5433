import { DEFAULT_SCOPES, type Scope } from '../../domain/client.ts';
import type { ClientLimitChanges } from '../../domain/client-limits.ts';
import { closestMatch } from '../../domain/closest-match.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
import { checkExternalSubject } from '../external-subject.ts';
import { type ClientRecord, type ClientStore, LastAdmin, type RefreshStore } from '../ports.ts';
import { readScopes } from '../scopes.ts';
import { checkClientName, isClientName } from './client-name.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** A client without its secret hash. */
export type ClientView = Omit<ClientRecord, 'secretHash'>;

/** A new secret. It cannot be read again later. */
export interface NewSecret {
  readonly client: ClientView;
  readonly clientSecret: string;
}

interface AddOptions {
  /** The absolute path of an existing folder, with symlinks resolved. Default: the media root of the service. */
  readonly root?: string;
  /** Default, also if the list is empty: `DEFAULT_SCOPES`. */
  readonly scopes?: readonly string[];
  readonly limits?: ClientLimitChanges;
}

interface ClientChanges {
  /** The absolute path of an existing folder, with symlinks resolved. */
  readonly root?: string;
  /** All scopes of the client. An empty list gives it `DEFAULT_SCOPES`. */
  readonly scopes?: readonly string[];
  /** The limits to change; others stay. */
  readonly limits?: ClientLimitChanges;
}

/** What to do about a change after which no client has the scope `admin`. */
interface AdminRule {
  /** Rejects it with LAST_ADMIN and this fix. Default: it is made. */
  readonly lastAdminFix?: string | undefined;
}

/** Manages clients. Each operation throws `Problem`: INVALID_REQUEST, or NOT_FOUND for an unknown name. */
export interface Clients {
  add(name: string, options?: AddOptions): Promise<NewSecret>;
  /**
   * Adds a client without a secret. A token of the external issuer with this subject authenticates it. `rotate` can
   * give it a secret too.
   */
  addExternal(name: string, subject: string, options?: AddOptions): Promise<ClientView>;
  /**
   * Changes what `changes` contains. Tokens lose a scope within a second; a new scope needs a new token. Running jobs keep
   * their media root and limits.
   */
  change(name: string, changes: ClientChanges, rule?: AdminRule): Promise<ClientView>;
  /** Returns all clients, sorted by name. */
  list(): Promise<readonly ClientView[]>;
  /** Sets a new secret. The old secret and all tokens become invalid. */
  rotate(name: string): Promise<NewSecret>;
  /** Revokes the client and all its tokens permanently. Its name cannot be used again. Idempotent. */
  revoke(name: string, rule?: AdminRule): Promise<ClientView>;
}

interface Deps {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const view = ({ secretHash: _, ...rest }: ClientRecord): ClientView => rest;

const invalidName = (code: string, message: string, fix: string, field = '/clientId'): Problem =>
  invalidRequest([{ field, code, message, fix }]);

const revoked = (name: string): Problem =>
  invalidName('REVOKED', `The client "${name}" is revoked for good.`, 'Add a client under another name.');

function scopesOf(names: readonly string[]): readonly Scope[] {
  const requested = readScopes(names);
  return requested.length === 0 ? DEFAULT_SCOPES : requested;
}

/** Replaces the secret of the client. The record changes first, because `checkClientUnchanged` reads it. */
export async function replaceSecret({ clients, refreshTokens, now }: Deps, name: string, secret: string) {
  const secretHash = await hashSecret(secret);
  await clients.update(name, { secretHash, tokensNotBefore: new Date(now()).toISOString() });
  await refreshTokens.revokeClient(name);
}

export function createClients(deps: Deps): Clients {
  const { clients, refreshTokens, now } = deps;

  async function find(name: string): Promise<ClientRecord> {
    const client = isClientName(name) ? await clients.get(name) : undefined;
    if (client !== undefined) return client;
    const names = (await clients.list()).map(({ clientId }) => clientId);
    const match = closestMatch(name, names);
    throw new Problem(
      'NOT_FOUND',
      `There is no client "${name.slice(0, 80)}".${match === undefined ? '' : ` Did you mean "${match}"?`}`,
    );
  }

  /** Throws LAST_ADMIN if the rule has a fix for it and no other client has the scope `admin`. */
  async function update(
    name: string,
    change: Parameters<ClientStore['update']>[1],
    { lastAdminFix: fix }: AdminRule,
  ): Promise<void> {
    await clients.update(name, change, { keepsAdmin: fix !== undefined }).catch((error: unknown) => {
      if (!(error instanceof LastAdmin)) throw error;
      const act = change.revokedAt === undefined ? 'This change' : 'Revoking it';
      throw new Problem('LAST_ADMIN', `"${name}" is the last client with the scope admin. ${act} leaves none.`, {
        ...(fix !== undefined && { fix }),
      });
    });
  }

  async function addRecord(
    name: string,
    secret: string,
    { root, scopes = [], limits }: AddOptions = {},
    externalSubject?: string,
  ): Promise<ClientView> {
    checkClientName(name);
    const client: ClientRecord = {
      clientId: name,
      secretHash: await hashSecret(secret),
      scopes: scopesOf(scopes),
      createdAt: new Date(now()).toISOString(),
      ...(root === undefined ? {} : { root }),
      ...(limits === undefined ? {} : { limits }),
      ...(externalSubject === undefined ? {} : { externalSubject }),
    };
    if (await clients.add(client)) return view(client);
    const holder = externalSubject === undefined ? undefined : await clients.findExternal(externalSubject);
    if (holder !== undefined)
      throw invalidName(
        'SUBJECT_TAKEN',
        `The subject belongs to the client "${holder.clientId}".`,
        'Revoke that client first.',
        '/externalSubject',
      );
    if ((await clients.get(name))?.revokedAt !== undefined)
      throw invalidName(
        'NAME_TAKEN',
        `The client "${name}" was revoked. Its name stays taken, because its jobs and files belong to that name.`,
        'Use another name.',
      );
    throw invalidName('NAME_TAKEN', `There is already a client "${name}".`, 'Use another name, or rotate its secret.');
  }

  return {
    async add(name, options) {
      const clientSecret = newSecret();
      return { client: await addRecord(name, clientSecret, options), clientSecret };
    },

    async addExternal(name, subject, options) {
      checkExternalSubject(subject);
      return addRecord(name, newSecret(), options, subject);
    },

    async change(name, { root, scopes, limits }, rule = {}) {
      const client = await find(name);
      if (client.revokedAt !== undefined) throw revoked(name);
      const change = {
        ...(root === undefined ? {} : { root }),
        ...(scopes === undefined ? {} : { scopes: scopesOf(scopes) }),
        ...(limits === undefined ? {} : { limits }),
      };
      await update(name, change, change.scopes === undefined || change.scopes.includes('admin') ? {} : rule);
      return view(await find(name));
    },

    async list() {
      const all = await clients.list();
      return all.map(view).sort((a, b) => (a.clientId < b.clientId ? -1 : 1));
    },

    async rotate(name) {
      if ((await find(name)).revokedAt !== undefined) throw revoked(name);
      const clientSecret = newSecret();
      await replaceSecret(deps, name, clientSecret);
      return { client: view(await find(name)), clientSecret };
    },

    async revoke(name, rule = {}) {
      const client = await find(name);
      const at = new Date(now()).toISOString();
      if (client.revokedAt === undefined) await update(name, { revokedAt: at, tokensNotBefore: at }, rule);
      // Do this even if the client is already revoked: a crash may have prevented this step.
      await refreshTokens.revokeClient(name);
      return view(await find(name));
    },
  };
}
