import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HlsEncryption, KEY_FOLDER, KEY_INFO_FILE } from '@telecine/contract/domain/hls-encryption.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';

/** Writes two files into the scratch folder `dir`: the key, and a file that tells ffmpeg where the key is. Returns the mount of both. */
export async function writeKeyFiles(dir: string, { keyUri, key = '', iv = '' }: HlsEncryption): Promise<Mount> {
  const keyFile = `${KEY_FOLDER}/key`;
  await mkdir(join(dir, KEY_FOLDER), { recursive: true, mode: 0o700 });
  await writeFile(join(dir, keyFile), Buffer.from(key, 'hex'), { mode: 0o600 });
  await writeFile(join(dir, KEY_INFO_FILE), `${keyUri}\n${keyFile}\n${iv}\n`, { mode: 0o600 });
  return { logical: KEY_FOLDER, hostPath: join(dir, KEY_FOLDER) };
}

/** Removes the key. Called before publishing, which needs the scratch folder and may take long. */
export const removeKeyFiles = (dir: string): Promise<void> =>
  rm(join(dir, KEY_FOLDER), { recursive: true, force: true });
