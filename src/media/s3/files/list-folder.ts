import { ListObjectsV2Command, type ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { FileEntry, FileStore, FolderQuery } from '../../../files/ports.ts';
import { folderBelow, pathBelow } from '../bucket.ts';
import type { S3Location } from '../location.ts';
import { fileProblem } from './file-problems.ts';
import { factsOf } from './object-facts.ts';
import type { S3Files } from './s3-files-options.ts';

/** The most keys that S3 lists at once. */
const MAX_KEYS = 1000;

/** After all keys of a folder. S3 sorts keys by the bytes of UTF-8, and this is the last character. */
const LAST_CHARACTER = '\u{10ffff}';

/** Lists one page of a folder, sorted by the bytes of the keys. Omits keys that no client can send as a path. */
export async function listFolder(
  { client, location }: S3Files,
  { folder, nameStart, after, limit }: FolderQuery,
): ReturnType<FileStore['list']> {
  const base = location.prefix + folder;
  const startAfter = after?.endsWith('/') ? `${base}${after}${LAST_CHARACTER}` : after && `${base}${after}`;
  const entries: FileEntry[] = [];
  try {
    for (let token: string | undefined, more = true; more && entries.length <= limit; ) {
      const page: ListObjectsV2CommandOutput = await client.send(
        new ListObjectsV2Command({
          Bucket: location.bucket,
          Prefix: `${base}${nameStart}`,
          Delimiter: '/',
          // XML cannot contain every character of a key.
          EncodingType: 'url',
          // One entry more than requested, to learn whether there is a next page.
          MaxKeys: Math.min(MAX_KEYS, limit + 1),
          StartAfter: startAfter,
          ContinuationToken: token,
        }),
      );
      entries.push(...entriesOf(location, page).filter(({ path }) => path !== `${folder}${after}`));
      token = page.NextContinuationToken;
      more = page.IsTruncated === true && token !== undefined;
    }
  } catch (error) {
    throw fileProblem('listing the folder', error);
  }
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

/** The files and folders of one page, in the order of their keys. */
function entriesOf({ prefix }: S3Location, page: ListObjectsV2CommandOutput): readonly FileEntry[] {
  const files = (page.Contents ?? []).flatMap((object): FileEntry[] => {
    const path = pathBelow(prefix, object.Key);
    return path === undefined ? [] : [{ kind: 'file', ...factsOf(path, { ...object, sizeBytes: object.Size }) }];
  });
  const folders = (page.CommonPrefixes ?? []).flatMap(({ Prefix }): FileEntry[] => {
    const path = folderBelow(prefix, Prefix);
    return path === undefined ? [] : [{ kind: 'folder', path: `${path}/` }];
  });
  return [...files, ...folders].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}
