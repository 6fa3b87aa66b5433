import type { Job } from '@telecine/client';
import { type HlsVersion, readFiles, readVersions } from './hls-versions.ts';

type Output = Pick<NonNullable<Job['outputs']>[number], 'path' | 'sizeBytes'>;

/** A playlist of a film has some kB. A larger one is not read for a table. */
export const MAX_BYTES = 1_000_000;

/** What reads the files of a job. */
export interface JobFiles {
  readonly readText: (path: string) => Promise<string>;
  /** Reads all outputs. undefined: there are too many. */
  readonly readOutputs: (() => Promise<readonly Output[]>) | undefined;
}

export interface SizedVersion {
  readonly version: HlsVersion;
  /** The size of all its files. undefined: not all of them are known. */
  readonly bytes?: number | undefined;
}

/**
 * The versions that a master playlist names, with the sizes of their files. If the sizes cannot be known, the playlists of the versions are not
 * read. Empty if there are fewer than two versions.
 */
export async function readSizedVersions(
  master: string,
  { readText, readOutputs }: JobFiles,
): Promise<readonly SizedVersion[]> {
  const versions = readVersions(await readText(master), master);
  if (versions.length < 2) return [];
  const outputs = await readOutputs?.().catch(() => undefined);
  if (outputs === undefined) return versions.map((version) => ({ version }));
  const sizes = new Map(outputs.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const bytesOf = async ({ path }: HlsVersion): Promise<number | undefined> => {
    if ((sizes.get(path) ?? Number.POSITIVE_INFINITY) > MAX_BYTES) return undefined;
    const files = readFiles(await readText(path), path).map((each) => sizes.get(each));
    return files.length === 0 || files.includes(undefined)
      ? undefined
      : files.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  };
  return Promise.all(
    versions.map(async (version) => ({ version, bytes: await bytesOf(version).catch(() => undefined) })),
  );
}
