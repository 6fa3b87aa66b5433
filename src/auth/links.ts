import type { Caller, Scope, StoreLimits } from '../domain/client.ts';
import { type ClientLimits, mergeClientLimits } from '../domain/client-limits.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { Problem } from '../domain/problem.ts';
import type { SignedLink } from '../domain/signed-link.ts';
import type { LinkOperations, LinkScope } from './operations.ts';
import type { ClientStore } from './ports.ts';
import { intersectScopes } from './scopes.ts';
import { notBefore } from './tokens/issue-token.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

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

export function createLinks(deps: {
  readonly keys: SigningKeys;
  readonly clients: ClientStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The media root for the `root` of a client record; for undefined, the media root of the service. */
  readonly rootOf: (root: string | undefined, clientId: string, limits: StoreLimits) => MediaRoot;
  /** The default limits of clients. */
  readonly policy: ClientLimits;
}): LinkOperations {
  const { keys, clients, now, rootOf, policy } = deps;
  return {
    async sign({ clientId }, subject, seconds) {
      const record = await clients.get(clientId);
      // As in `issueAccessToken`, a link issued after a rotation must not have an earlier time than the rotation.
      const at = Math.max(Math.floor(now() / 1000), record === undefined ? 0 : Math.ceil(notBefore(record) / 1000));
      const terms = { client: clientId, issued: String(at), expires: String(at + seconds) };
      const { kid, key } = await keys.signer();
      const signature = await crypto.subtle.sign(HMAC, key, signedText(subject, terms));
      return { ...terms, key: kid, signature: Buffer.from(signature).toString('base64url') };
    },

    async verify(subject, link, scope) {
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
      return {
        clientId: client,
        scopes,
        root: rootOf(record.root, client, limits),
        policy: limits,
      } satisfies Caller;
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
