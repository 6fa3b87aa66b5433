import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** 256 random bits in base64url. */
const random = (): string => randomBytes(32).toString('base64url');

// Creates a client secret. By its prefix, people and secret scanners recognise a leaked secret.
export const newSecret = (): string => `tcs_${random()}`;
export const newRefreshToken = (): string => `tcr_${random()}`;
export const newSessionSecret = (): string => `tcw_${random()}`;
export const newShareSecret = (): string => `tcl_${random()}`;
export const newSignInCode = random;

/** Hashes a random secret for storing. Such a secret needs neither a salt nor a slow hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The cost of a hash: 16 MiB and about 50 ms. It is high, because a secret that an operator chose may be weak. */
const COST = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

/** The maximum length of a secret, in characters. A longer one never matches. */
export const MAX_SECRET_LENGTH = 1024;

/** The form of the secrets that `newSecret` creates. */
const GENERATED = /^tcs_[\w-]{43}$/;
const FAST = 'sha256';

/**
 * Hashes a secret as `scrypt$N$r$p$salt$hash`. A generated secret, which cannot be guessed, needs no slow hash: for it,
 * the result is `sha256$hash`.
 */
export async function hashSecret(secret: string): Promise<string> {
  if (GENERATED.test(secret)) return `${FAST}$${fastHash(secret).toString('base64url')}`;
  const salt = randomBytes(16);
  const hash = await derive(secret, salt, HASH_BYTES, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

const fastHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Returns in microseconds whether a secret matches the hash of a generated secret. false for other hashes. */
export function matchesGenerated(secret: string, stored: string | undefined): boolean {
  const [kind, hash = ''] = (stored ?? '').split('$');
  return kind === FAST && timingSafeEqual(fastHash(secret), Buffer.from(hash, 'base64url'));
}

/** A hash that no secret matches. Checking it takes as long as checking a real one. */
const NO_CLIENT = ['scrypt', COST.N, COST.r, COST.p, random(), random()].join('$');

/**
 * Returns whether a secret matches the stored hash. `stored`: undefined for an unknown client. If the secret does not
 * match, the check always takes the same time.
 */
export async function matchesSecret(secret: string, stored: string | undefined): Promise<boolean> {
  if (matchesGenerated(secret, stored)) return true;
  const isScrypt = stored !== undefined && !stored.startsWith(`${FAST}$`);
  const [kind, n, r, p, salt = '', hash = ''] = (isScrypt ? stored : NO_CLIENT).split('$');
  if (kind !== 'scrypt') throw new Error(`Unknown hash format of a stored client secret: ${kind}`);
  const expected = Buffer.from(hash, 'base64url');
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const text = secret.slice(0, MAX_SECRET_LENGTH);
  const actual = await derive(text, Buffer.from(salt, 'base64url'), expected.length, cost);
  return timingSafeEqual(actual, expected) && isScrypt && text === secret;
}
