import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { SignedLink } from '@telecine/contract/domain/signed-link.ts';
import { notBefore } from './lifetimes.ts';
import type { ClientStore } from './ports.ts';
import type { SigningKeys } from './signing-keys.ts';
import { type CallerDeps, callerFor } from './verify.ts';

/** What a link allows: reading outputs, or uploading a file. */
type LinkScope = 'files:read' | 'files:write';

/** Matches an HMAC-SHA256 in base64url. The last of its 43 characters carries only four bits. */
const SIGNATURE = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Matches seconds since 1970, without leading zeros. */
const SECONDS = /^[1-9]\d{0,11}$/;

/** The scopes that a link gets if its client has them. With `admin`, the link opens outputs of all clients. */
const LINK_SCOPES: Readonly<Record<LinkScope, readonly Scope[]>> = {
  'files:read': ['files:read', 'admin'],
  'files:write': ['files:write'],
};

/**
 * Returns the text to sign. Access tokens use the same keys, but this text is a JSON array, which is never a JWT. So
 * its signature cannot be used for a token.
 */
const signedText = (subject: string, { client, issued, expires }: Omit<SignedLink, 'key' | 'signature'>) =>
  Buffer.from(JSON.stringify(['link', client, issued, expires, subject]));

const HMAC = 'HMAC';

export type LinkOperations = ReturnType<typeof createLinks>;

/** Signs and verifies links that work without a token. */
export function createLinks(
  deps: CallerDeps & {
    readonly keys: SigningKeys;
    readonly clients: ClientStore;
    /** Milliseconds since 1970. */
    readonly now: () => number;
  },
) {
  const { keys, clients, now } = deps;
  /** `issuedAt`: in milliseconds since 1970. A link from before the last rotation of the secret is revoked. */
  const callerOf = async (clientId: string, scope: LinkScope, issuedAt: number): Promise<Caller> => {
    const record = await clients.get(clientId);
    if (record === undefined || record.revokedAt !== undefined || issuedAt < notBefore(record, now()))
      throw revokedLink(scope);
    const caller = callerFor(record, LINK_SCOPES[scope], deps);
    if (!caller.scopes.includes(scope)) throw revokedLink(scope);
    return caller;
  };
  return {
    /**
     * Signs a link. `subject`: what the link opens, such as the outputs of a job. `seconds`: its lifetime, at most
     * `LONGEST_LINK_SECONDS`.
     */
    async sign({ clientId }: Caller, subject: string, seconds: number): Promise<SignedLink> {
      const record = await clients.get(clientId);
      // The time must not be before the last rotation of the secret, as in `issueAccessToken`.
      const ms = now();
      const at = Math.max(Math.floor(ms / 1000), record === undefined ? 0 : Math.ceil(notBefore(record, ms) / 1000));
      const terms = { client: clientId, issued: String(at), expires: String(at + seconds) };
      const { kid, key } = await keys.signer();
      const signature = await crypto.subtle.sign(HMAC, key, signedText(subject, terms));
      return { ...terms, key: kid, signature: Buffer.from(signature).toString('base64url') };
    },

    /**
     * Verifies a link. Returns the client that signed it, as a caller with the scope `scope`. Throws LINK_EXPIRED, or
     * INVALID_LINK, which does not tell what is wrong.
     */
    async verify(subject: string, link: SignedLink, scope: LinkScope): Promise<Caller> {
      const { client, issued, expires, signature } = link;
      const key = await keys.find(link.key);
      if (key === undefined || ![issued, expires].every((text) => SECONDS.test(text)) || !SIGNATURE.test(signature))
        throw invalidLink();
      // `verify` compares in constant time.
      const bytes = Buffer.from(signature, 'base64url');
      if (!(await crypto.subtle.verify(HMAC, key, bytes, signedText(subject, link)))) throw invalidLink();
      if (now() >= Number(expires) * 1000)
        throw new Problem('LINK_EXPIRED', 'The link has expired. Ask for a new one.');
      return callerOf(client, scope, Number(issued) * 1000);
    },

    /**
     * Returns the client of a share, as a caller that can read files. Throws INVALID_LINK if the client is revoked or may no
     * longer read files. A new secret of the client changes nothing: its shares are listed, and each can be revoked. `issuedAt`: for
     * what is not a share, the time in milliseconds since 1970 after which a new secret of the client revokes it.
     */
    readerOf: (clientId: string, issuedAt = Number.POSITIVE_INFINITY): Promise<Caller> =>
      callerOf(clientId, 'files:read', issuedAt),

    /** Like `readerOf`, for the client of a link for uploads. */
    writerOf: (clientId: string): Promise<Caller> => callerOf(clientId, 'files:write', Number.POSITIVE_INFINITY),
  };
}

const invalidLink = (): Problem =>
  new Problem('INVALID_LINK', 'The link is not from this service, or was changed. Use it exactly as received.');

const revokedLink = (scope: LinkScope): Problem =>
  new Problem(
    'INVALID_LINK',
    `The client that signed this link can no longer ${scope === 'files:read' ? 'read' : 'write'} files. Ask for a new link.`,
  );
