import type { Caller, Scope, StoreLimits } from '../domain/client.ts';
import { type ClientLimits, mergeClientLimits } from '../domain/client-limits.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { Problem } from '../domain/problem.ts';
import type { SignedLink } from '../domain/signed-link.ts';
import { notBefore } from './lifetimes.ts';
import type { ClientStore } from './ports.ts';
import { intersectScopes } from './scopes.ts';
import type { SigningKeys } from './signing-keys.ts';

/** What a link needs: to read outputs, or to upload a file. */
type LinkScope = 'files:read' | 'files:write';

/** An HMAC-SHA256 in base64url. The last of its 43 characters carries only four bits. */
const SIGNATURE = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Seconds since 1970, without leading zeros. */
const SECONDS = /^[1-9]\d{0,11}$/;

/** The scopes of a link, if the client has them. With `admin`, the link of an administrator opens outputs of all clients. */
const LINK_SCOPES: Readonly<Record<LinkScope, readonly Scope[]>> = {
  'files:read': ['files:read', 'admin'],
  'files:write': ['files:write'],
};

/**
 * The text to sign. Links are signed with the keys of access tokens. The text is a JSON array, which cannot be confused
 * with a JWT, so a link signature cannot serve as a token signature or vice versa.
 */
const signedText = (subject: string, { client, issued, expires }: Omit<SignedLink, 'key' | 'signature'>) =>
  Buffer.from(JSON.stringify(['link', client, issued, expires, subject]));

const HMAC = 'HMAC';

export type LinkOperations = ReturnType<typeof createLinks>;

/** Signs and verifies links that work without a token. */
export function createLinks(deps: {
  readonly keys: SigningKeys;
  readonly clients: ClientStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The media root for the `root` of a client record; for undefined, the media root of the service. */
  readonly rootOf: (root: string | undefined, clientId: string, limits: StoreLimits) => MediaRoot;
  /** The default limits of clients. */
  readonly policy: ClientLimits;
}) {
  const { keys, clients, now, rootOf, policy } = deps;
  return {
    /** Signs a link to a subject, such as the outputs of a job. `seconds` is at most `LONGEST_LINK_SECONDS`. */
    async sign({ clientId }: Caller, subject: string, seconds: number): Promise<SignedLink> {
      const record = await clients.get(clientId);
      // As in `issueAccessToken`, a link issued after a rotation must not have an earlier time than the rotation.
      const at = Math.max(Math.floor(now() / 1000), record === undefined ? 0 : Math.ceil(notBefore(record) / 1000));
      const terms = { client: clientId, issued: String(at), expires: String(at + seconds) };
      const { kid, key } = await keys.signer();
      const signature = await crypto.subtle.sign(HMAC, key, signedText(subject, terms));
      return { ...terms, key: kid, signature: Buffer.from(signature).toString('base64url') };
    },

    /**
     * Verifies the link to `subject`. Returns the client that signed it, with that scope, if it still has it. Throws
     * INVALID_LINK, which does not say what is wrong, or LINK_EXPIRED.
     */
    async verify(subject: string, link: SignedLink, scope: LinkScope): Promise<Caller> {
      const { client, issued, expires, signature } = link;
      const key = await keys.find(link.key);
      if (key === undefined || ![issued, expires].every((text) => SECONDS.test(text)) || !SIGNATURE.test(signature))
        throw invalidLink();
      // `verify` compares in constant time.
      const signed = await crypto.subtle.verify(
        HMAC,
        key,
        Buffer.from(signature, 'base64url'),
        signedText(subject, link),
      );
      if (!signed) throw invalidLink();
      if (now() >= Number(expires) * 1000)
        throw new Problem('LINK_EXPIRED', 'The link has expired. Ask for a new one.');
      const record = await clients.get(client);
      if (record === undefined || record.revokedAt !== undefined || Number(issued) * 1000 < notBefore(record))
        throw revokedLink(scope);
      const scopes = intersectScopes(LINK_SCOPES[scope], record.scopes);
      if (!scopes.includes(scope)) throw revokedLink(scope);
      const limits = mergeClientLimits(policy, record.limits);
      return { clientId: client, scopes, root: rootOf(record.root, client, limits), policy: limits };
    },
  };
}

const invalidLink = (): Problem =>
  new Problem('INVALID_LINK', 'The link is not from this service, or was changed. Use it exactly as received.');

const revokedLink = (scope: LinkScope): Problem =>
  new Problem(
    'INVALID_LINK',
    `The client that signed this link can no longer ${scope === 'files:read' ? 'read' : 'write'} files. Ask for a new link.`,
  );
