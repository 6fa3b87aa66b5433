import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { HlsEncryption } from '../../../domain/hls-encryption.ts';
import type { CommandFailed } from '../../session/command-failed.ts';
import type { ConvertFlags } from '../../session/flags.ts';
import { usageError } from '../../session/usage-error.ts';

const KEY_BYTES = 16;

/** How HLS is encrypted. */
export interface ReadEncryption {
  readonly encrypt: HlsEncryption;
  /**
   * Writes a key that was made. Call it when the order is checked and before anything is uploaded: a mistyped command leaves no file,
   * and no output exists whose key was lost. Throws `CommandFailed`.
   */
  saveKey(): Promise<void>;
}

/**
 * Reads how HLS is encrypted. A random key is made if the key file does not exist. The key is in a file, because every user of a
 * machine sees the arguments of its programs. Throws `CommandFailed`.
 */
export async function readEncryption({
  encryptKeyUri: keyUri,
  encryptKeyFile: file,
}: Pick<ConvertFlags, 'encryptKeyUri' | 'encryptKeyFile'>): Promise<ReadEncryption | undefined> {
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
  const read = await readKey(file);
  const key = read ?? randomBytes(KEY_BYTES);
  if (key.length !== KEY_BYTES)
    throw usageError(
      'BAD_KEY_FILE',
      `The key file "${file}" has ${key.length} bytes, and a key of AES-128 has ${KEY_BYTES}.`,
      'Name a file that does not exist, to make a key, or make one: openssl rand 16 > film.key',
    );
  return {
    encrypt: { keyUri, key: key.toString('hex') },
    saveKey: async () => {
      if (read === undefined) await writeKey(file, key);
    },
  };
}

/** The content of a key file, or undefined if there is none. */
const readKey = (file: string): Promise<Buffer | undefined> =>
  readFile(file).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw notUsable(file, 'read', error);
  });

/** Never replaces a file: another command may have made it meanwhile. */
const writeKey = (file: string, key: Buffer): Promise<void> =>
  writeFile(file, key, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw notUsable(file, 'written', error);
  });

const notUsable = (file: string, use: string, cause: unknown): CommandFailed =>
  usageError(
    'BAD_KEY_FILE',
    `The key file "${file}" cannot be ${use}: ${cause instanceof Error ? cause.message : String(cause)}`,
    'Name a file that this user can read and write.',
  );
