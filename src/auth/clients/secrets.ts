import { createHash, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** So that people and secret scanners know them when they meet them in a log or a repository. */
const SECRET_PREFIX = 'tcs_';
const REFRESH_PREFIX = 'tcr_';

const random = (): string => randomBytes(32).toString('base64url');

/** A client secret: 256 random bits in base64url. */
export const newSecret = (): string => SECRET_PREFIX + random();

/** A refresh token: 256 random bits in base64url. */
export const newRefreshToken = (): string => REFRESH_PREFIX + random();

/** What is stored of a refresh token. Being random it needs no salt and no slow hash. */
export const hashRefreshToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 16 MiB and some 50 ms: a client asks every quarter of an hour, and the admin's secret may be a human one. */
const COST = { N: 2 ** 14, r: 8, p: 1 };
const HASH_BYTES = 32;

/** Longer ones are always wrong, and no more than this of them is hashed. */
export const MAX_SECRET_LENGTH = 1024;

/** `scrypt$N$r$p$salt$hash`: holds its own cost, so that this can be raised without voiding what is stored. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(secret, salt, HASH_BYTES, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Matches nothing; costs what a real one does. */
const NOBODY = ['scrypt', COST.N, COST.r, COST.p, random(), random()].join('$');

/**
 * Is this the secret that `stored` was made from? With undefined (no such client) it takes as long as with a
 * record and is false, so that the time tells nobody which clients exist.
 */
export async function matchesSecret(secret: string, stored: string | undefined): Promise<boolean> {
  const [kind, n, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$');
  if (kind !== 'scrypt') throw new Error(`A stored client secret has an unknown form: ${kind}`);
  const expected = Buffer.from(hash, 'base64url');
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const text = secret.slice(0, MAX_SECRET_LENGTH);
  const actual = await derive(text, Buffer.from(salt, 'base64url'), expected.length, cost);
  return timingSafeEqual(actual, expected) && stored !== undefined && text === secret;
}
