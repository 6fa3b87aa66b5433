import { DEFAULT_SCOPES, type Scope } from '@telecine/contract/domain/client.ts';
import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { notBefore, previousHash } from './lifetimes.ts';
import { type ClientRecord, type ClientStore, LastAdmin, type RefreshStore } from './ports.ts';
import { readScopes } from './scopes.ts';
import { hashSecret, newSecret } from './secrets.ts';

export interface ClientView extends Omit<ClientRecord, 'secretHash' | 'previousSecret'> {
  /** When the secret before the last rotation stops working. Absent if it does not work any more. */
  readonly previousSecretExpiresAt?: string;
}

/** A client and its new secret, which nobody can read again later. */
export interface NewSecret {
  readonly client: ClientView;
  readonly clientSecret: string;
}

/** The fields of a new client, or the fields to change. */
interface ClientFields {
  /** The absolute path of an existing folder, without symlinks. Default: the media root of the service. */
  readonly root?: string;
  /** All scopes that the client may use. Default, also for an empty list: `DEFAULT_SCOPES`. */
  readonly scopes?: readonly string[];
  /** The limits to change. Other limits stay the same. */
  readonly limits?: ClientLimitChanges;
}

interface AdminRule {
  /**
   * The fix in the error LAST_ADMIN, which rejects a change after which no client has the scope `admin`. undefined:
   * such a change is allowed.
   */
  readonly lastAdminFix?: string | undefined;
}

interface Deps {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const invalidName = (code: string, message: string, field = '/clientId'): Problem =>
  invalidRequest([{ field, code, message }]);

const revoked = (name: string): Problem =>
  invalidName('REVOKED', `The client "${name}" was revoked, which cannot be undone.`);

function scopesOf(names: readonly string[]): readonly Scope[] {
  const requested = readScopes(names);
  return requested.length === 0 ? DEFAULT_SCOPES : requested;
}

/**
 * Replaces the secret of a client at once. Changes its record before revoking its tokens, because
 * `checkClientUnchanged` reads the record.
 */
export async function replaceSecret({ clients, refreshTokens, now }: Deps, name: string, secret: string) {
  const secretHash = await hashSecret(secret);
  const at = new Date(now()).toISOString();
  await clients.update(name, { secretHash, tokensNotBefore: at, previousSecret: { hash: '', until: at } });
  await refreshTokens.revokeClient(name);
}

async function findClient(clients: ClientStore, name: string): Promise<ClientRecord> {
  const client = isClientName(name) ? await clients.get(name) : undefined;
  if (client !== undefined) return client;
  const names = (await clients.list()).map(({ clientId }) => clientId);
  const match = closestMatch(name, names);
  const question = match === undefined ? '' : ` Did you mean "${match}"?`;
  throw new Problem('NOT_FOUND', `There is no client "${name.slice(0, 80)}".${question}`);
}

/**
 * Changes the record of a client. Throws LAST_ADMIN, unless `lastAdminFix` is undefined, if no other client has the
 * scope `admin`.
 */
async function updateClient(
  clients: ClientStore,
  name: string,
  change: Parameters<ClientStore['update']>[1],
  { lastAdminFix: fix }: AdminRule,
): Promise<void> {
  await clients.update(name, change, { keepsAdmin: fix !== undefined }).catch((error: unknown) => {
    if (!(error instanceof LastAdmin)) throw error;
    const act = change.revokedAt === undefined ? 'This change' : 'Revoking it';
    const message = `"${name}" is the last client with the scope admin. ${act} would leave no administrator.`;
    throw new Problem('LAST_ADMIN', message, fix === undefined ? {} : { fix });
  });
}

async function reasonNotAdded(clients: ClientStore, name: string, externalSubject?: string): Promise<Problem> {
  const holder = externalSubject === undefined ? undefined : await clients.findExternal(externalSubject);
  if (holder !== undefined)
    return invalidName(
      'SUBJECT_TAKEN',
      `The subject belongs to the client "${holder.clientId}", which has to be revoked first.`,
      '/externalSubject',
    );
  if ((await clients.get(name))?.revokedAt !== undefined)
    return invalidName(
      'NAME_TAKEN',
      `The client "${name}" was revoked. Its name stays taken, because its jobs and files belong to that name.`,
    );
  return invalidName('NAME_TAKEN', `There is already a client "${name}".`);
}

export type Clients = ReturnType<typeof createClients>;

/** Creates the operations on clients. Each throws a `Problem`: INVALID_REQUEST, or NOT_FOUND for an unknown name. */
export function createClients(deps: Deps) {
  const { clients, refreshTokens, now } = deps;

  function view({ secretHash: _, previousSecret, ...rest }: ClientRecord): ClientView {
    return previousSecret === undefined || previousHash({ previousSecret }, now()) === undefined
      ? rest
      : { ...rest, previousSecretExpiresAt: previousSecret.until };
  }

  async function addRecord(
    name: string,
    secret: string,
    { root, scopes = [], limits }: ClientFields = {},
    externalSubject?: string,
  ): Promise<ClientView> {
    checkClientName(name);
    const client: ClientRecord = {
      clientId: name,
      secretHash: await hashSecret(secret),
      scopes: scopesOf(scopes),
      createdAt: new Date(now()).toISOString(),
      ...defined({ root, limits, externalSubject }),
    };
    if (await clients.add(client)) return view(client);
    throw await reasonNotAdded(clients, name, externalSubject);
  }

  return {
    async add(name: string, options?: ClientFields): Promise<NewSecret> {
      const clientSecret = newSecret();
      return { client: await addRecord(name, clientSecret, options), clientSecret };
    },

    /**
     * Adds a client for people or programs that have tokens of the external issuer with the subject `subject`. The
     * client gets no secret; `rotate` can give it one.
     */
    async addExternal(name: string, subject: string, options?: ClientFields): Promise<ClientView> {
      checkExternalSubject(subject);
      return addRecord(name, newSecret(), options, subject);
    },

    /**
     * Changes a client. Its tokens lose a removed scope within a second. An added scope needs a new token. Running jobs
     * keep the old media root and limits.
     */
    async change(name: string, { root, scopes, limits }: ClientFields, rule: AdminRule = {}): Promise<ClientView> {
      const client = await findClient(clients, name);
      if (client.revokedAt !== undefined) throw revoked(name);
      const change = defined({ root, scopes: scopes && scopesOf(scopes), limits });
      const keepsAdmin = change.scopes === undefined || change.scopes.includes('admin');
      await updateClient(clients, name, change, keepsAdmin ? {} : rule);
      return view(await findClient(clients, name));
    },

    get: async (name: string): Promise<ClientView> => view(await findClient(clients, name)),

    async list(): Promise<readonly ClientView[]> {
      const all = await clients.list();
      return all.map(view).sort((a, b) => (a.clientId < b.clientId ? -1 : 1));
    },

    /**
     * Sets a new secret. The old secret works for `graceHours` more. At the end of this time, or at once if it is 0, all
     * earlier tokens become invalid. A secret before the old one ends now, even if its own grace has not: all tokens until
     * now become invalid, because they do not tell with which secret they were requested.
     */
    async rotate(name: string, graceHours = 0): Promise<NewSecret> {
      const client = await findClient(clients, name);
      if (client.revokedAt !== undefined) throw revoked(name);
      const clientSecret = newSecret();
      if (graceHours === 0) await replaceSecret(deps, name, clientSecret);
      else {
        const at = now();
        const revokedBefore = previousHash(client, at) === undefined ? notBefore(client, at) : at;
        await clients.update(name, {
          secretHash: await hashSecret(clientSecret),
          previousSecret: { hash: client.secretHash, until: new Date(at + graceHours * HOUR_MS).toISOString() },
          // Otherwise, tokens of the dropped secret would live on with the new grace.
          ...(revokedBefore > 0 && { tokensNotBefore: new Date(revokedBefore).toISOString() }),
        });
      }
      return { client: view(await findClient(clients, name)), clientSecret };
    },

    /** Revokes the client and all its tokens for good. No new client can have its name. Idempotent. */
    async revoke(name: string, rule: AdminRule = {}): Promise<ClientView> {
      const client = await findClient(clients, name);
      const at = new Date(now()).toISOString();
      if (client.revokedAt === undefined)
        await updateClient(clients, name, { revokedAt: at, tokensNotBefore: at }, rule);
      // Revoke the tokens even if the client is already revoked: a crash may have prevented this at the first call.
      await refreshTokens.revokeClient(name);
      return view(await findClient(clients, name));
    },
  };
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Returns whether a text can be the name of a client: the client id in tokens, logs and commands. */
export const isClientName = (name: string): boolean => NAME.test(name);

/** Throws INVALID_REQUEST unless the text can be the name of a client. */
export function checkClientName(name: string): void {
  if (isClientName(name)) return;
  throw invalidRequest([
    {
      field: '/clientId',
      code: 'BAD_NAME',
      message: `Invalid client name "${name.slice(0, 80)}". Use 1–64 characters (a-z, 0-9, . _ -), starting with a letter or digit.`,
    },
  ]);
}

/**
 * Matches a `sub` claim of at most 255 characters, the limit of OpenID Connect (Core, 2). Unlike OpenID Connect,
 * letters of all scripts are allowed.
 */
const SUBJECT = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,253}[^\p{C}\p{Z}])?$/u;

/** Throws INVALID_REQUEST unless the text can be a `sub` claim. */
function checkExternalSubject(subject: string): void {
  if (SUBJECT.test(subject)) return;
  throw invalidRequest([
    {
      field: '/externalSubject',
      code: 'BAD_SUBJECT',
      message:
        'Invalid subject. It is the "sub" claim of the tokens of the issuer: 1–255 visible characters, without spaces at the ends.',
    },
  ]);
}

type Fields = Pick<ClientView, 'scopes' | 'root' | 'limits' | 'externalSubject'>;

/** Returns the fields of a client that the audit log shows. */
export const auditedFields = ({ scopes, root, limits, externalSubject }: Fields): Readonly<Record<string, unknown>> =>
  defined({ scopes, root, limits, externalSubject });

/** Returns the new values of the fields that are named in `changes`. */
export const changedFields = (client: Fields, changes: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(auditedFields(client)).filter(([field]) => Object.keys(changes).includes(field)));
