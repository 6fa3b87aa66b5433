import type { Caller, Scope } from '../domain/client.ts';
import { type ClientLimits, mergeClientLimits } from '../domain/client-limits.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { Problem } from '../domain/problem.ts';
import type { LinkOperations, SignedLink } from './operations.ts';
import type { ClientStore } from './ports.ts';
import { intersectScopes } from './scopes.ts';
import { notBefore } from './tokens/issue-token.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';

/** The form of an HMAC-SHA256 in base64url: the last of its 43 characters carries but four bits. */
const SIGNATURE = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Seconds since 1970, in the one way that we write them. */
const SECONDS = /^[1-9]\d{0,11}$/;

/** `admin` where the client still holds it: it may have given away what is another client's. */
const GIVEN: readonly Scope[] = ['files:read', 'admin'];

/**
 * Links are signed with the keys of access tokens. What is signed is a JSON array, which no JWT begins with: neither
 * can be taken for the other.
 */
const signedText = (subject: string, { client, issued, expires }: Omit<SignedLink, 'key' | 'signature'>) =>
  Buffer.from(JSON.stringify(['link', client, issued, expires, subject]));

const HMAC = 'HMAC';

export function createLinks(deps: {
  readonly keys: SigningKeys;
  readonly clients: ClientStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The media root of a client from its record; undefined: the service's own. */
  readonly rootOf: (root: string | undefined) => MediaRoot;
  /** The limits of clients that have none of their own. */
  readonly policy: ClientLimits;
}): LinkOperations {
  const { keys, clients, now, rootOf, policy } = deps;
  return {
    async sign({ clientId }, subjects, seconds) {
      const record = await clients.get(clientId);
      // As of a token: never before the change of the secret that it follows.
      const at = Math.max(Math.floor(now() / 1000), record === undefined ? 0 : Math.ceil(notBefore(record) / 1000));
      const terms = { client: clientId, issued: String(at), expires: String(at + seconds) };
      const { kid, key } = await keys.signer();
      return Promise.all(
        subjects.map(async (subject) => {
          const signature = await crypto.subtle.sign(HMAC, key, signedText(subject, terms));
          return { ...terms, key: kid, signature: Buffer.from(signature).toString('base64url') };
        }),
      );
    },

    async verify(subject, link) {
      const { client, issued, expires, signature } = link;
      const key = await keys.find(link.key);
      if (key === undefined || ![issued, expires].every((text) => SECONDS.test(text)) || !SIGNATURE.test(signature))
        throw invalidLink();
      // Compares in constant time.
      const signed = await crypto.subtle.verify(
        HMAC,
        key,
        Buffer.from(signature, 'base64url'),
        signedText(subject, link),
      );
      if (!signed) throw invalidLink();
      if (now() >= Number(expires) * 1000)
        throw new Problem('LINK_EXPIRED', 'The link has expired. Ask whoever gave it to you for a new one.');
      const record = await clients.get(client);
      if (record === undefined || record.revokedAt !== undefined || Number(issued) * 1000 < notBefore(record))
        throw ended();
      const scopes = intersectScopes(GIVEN, record.scopes);
      if (!scopes.includes('files:read')) throw ended();
      return {
        clientId: client,
        scopes,
        root: rootOf(record.root),
        policy: mergeClientLimits(policy, record.limits),
      } satisfies Caller;
    },
  };
}

const invalidLink = (): Problem =>
  new Problem('INVALID_LINK', 'The link is not one of this service, or was changed. Use it exactly as it was given.');

const ended = (): Problem =>
  new Problem('INVALID_LINK', 'Whoever gave this link away may no longer read files. Ask for a new one.');
