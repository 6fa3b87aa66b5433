import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { HlsEncryption } from '../../../domain/hls-encryption.ts';
import type { CommandFailed } from '../../session/command-failed.ts';
import type { ConvertFlags } from '../../session/flags.ts';
import { usageError } from '../../session/usage-error.ts';

const KEY_BYTES = 16;

/**
 * Reads how HLS is encrypted. A key file that does not exist is created with a random key, except in a dry run. The key is in
 * a file, because every user of a machine sees the arguments of its programs. Throws `CommandFailed`.
 */
export async function readEncryption({
  encryptKeyUri: keyUri,
  encryptKeyFile: file,
  dryRun,
}: ConvertFlags): Promise<HlsEncryption | undefined> {
  if (keyUri === undefined && file === undefined) return undefined;
  if (keyUri === undefined)
    throw usageError(
      'NO_KEY_URI',
      '--encrypt-key-file needs the URI at which players get the key.',
      'Add --encrypt-key-uri https://keys.example.com/film.key',
    );
  if (file === undefined)
    throw usageError(
      'NO_KEY_FILE',
      '--encrypt-key-uri needs a file for the key.',
      'Add --encrypt-key-file film.key: the key is read from it, or made and written to it if there is no such file.',
    );
  const key = (await readKey(file)) ?? (await makeKey(file, dryRun === true));
  if (key.length !== KEY_BYTES)
    throw usageError(
      'BAD_KEY_FILE',
      `The key file "${file}" has ${key.length} bytes, and a key of AES-128 has ${KEY_BYTES}.`,
      'Name a file that does not exist, to make a key, or make one: openssl rand 16 > film.key',
    );
  return { keyUri, key: key.toString('hex') };
}

/** The content of a key file, or undefined if there is none. */
const readKey = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw notUsable(file, 'read', error);
  });

/** Makes a key and writes it before anything is uploaded, so that no output exists whose key was lost. */
async function makeKey(file: string, isDry: boolean): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  if (isDry) return key;
  await writeFile(file, key, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw notUsable(file, 'written', error);
  });
  return key;
}

const notUsable = (file: string, use: string, cause: unknown): CommandFailed =>
  usageError(
    'BAD_KEY_FILE',
    `The key file "${file}" cannot be ${use}: ${cause instanceof Error ? cause.message : String(cause)}`,
    'Name a file that this user can read and write.',
  );
