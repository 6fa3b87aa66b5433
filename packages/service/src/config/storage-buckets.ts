import { z } from 'zod';
import { parseJson, readPath } from './setting.ts';
import { readEndpoint, readStorage, type StorageLocation } from './storage-location.ts';

/** A bucket, or a part of one, that requests may name. */
export interface BucketSetting extends StorageLocation {
  /** The address of an S3-compatible server, as `readEndpoint` reads it. Absent: AWS. */
  readonly endpoint?: string;
  readonly region: string;
  /**
   * A profile in `credentialsFile`. If both are absent, the AWS SDK looks for credentials as it does for
   * TELECINE_STORAGE.
   */
  readonly profile?: string;
  /** The absolute path of the file. Absent: the default file of the AWS SDK. */
  readonly credentialsFile?: string;
  readonly access: 'read' | 'readWrite';
  /** The ids of the clients that may use the bucket. `*`: all clients. */
  readonly clients: readonly string[];
}

/** Returns the address of a bucket in requests. It ends with a slash. */
export const bucketAddress = ({ bucket, prefix }: StorageLocation): string => `s3://${bucket}/${prefix}`;

/** Creates a schema that reads a text like a setting. */
const readBy = <T>(read: (text: string) => T) =>
  z.string('must be a text').transform((text, context) => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error));
      return z.NEVER;
    }
  });

const nonEmpty = z.string('must be a text').min(1, 'must not be empty');

/** All errors of a JSON value in one line, without values. `entry`: the schema of its objects, for the allowed fields. */
const issuesText = ({ issues }: z.ZodError, entry: z.ZodObject): string =>
  issues
    .map(({ path, message, ...issue }) => {
      const [key, ...fields] = path.map(String);
      const where = key === undefined ? '' : `${[JSON.stringify(key), ...fields].join(' ')} `;
      if (issue.code === 'unrecognized_keys')
        return `${where}has the unknown field "${issue.keys.join('", "')}"; allowed: ${Object.keys(entry.shape).join(', ')}`;
      return `${where}${message}`;
    })
    .join('; ');

const ENTRY = z.strictObject({
  endpoint: readBy(readEndpoint).optional(),
  region: nonEmpty.default('us-east-1'),
  profile: nonEmpty.optional(),
  credentialsFile: readBy(readPath).optional(),
  access: z.enum(['read', 'readWrite'], 'must be "read" or "readWrite"').default('read'),
  clients: z.array(nonEmpty, 'must be a list of client ids, or ["*"] for all clients').default([]),
});

const FILE = z.record(z.string(), ENTRY, 'must be an object with a bucket such as "s3://footage" as each key');

/**
 * Parses the file of TELECINE_STORAGE_BUCKETS. Throws an `Error` with all errors, which contains no values of the file.
 * `storage`: the bucket of TELECINE_STORAGE.
 */
export function parseBuckets(
  text: string,
  storage: (StorageLocation & Pick<BucketSetting, 'endpoint'>) | undefined,
): readonly BucketSetting[] {
  const parsed = FILE.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(issuesText(parsed.error, ENTRY));
  const buckets: BucketSetting[] = [];
  for (const [key, { endpoint, profile, credentialsFile, ...rest }] of Object.entries(parsed.data)) {
    const bucket: BucketSetting = {
      ...readKey(key),
      ...rest,
      ...(endpoint !== undefined && { endpoint }),
      ...(profile !== undefined && { profile }),
      ...(credentialsFile !== undefined && { credentialsFile }),
    };
    checkOthers(bucket, buckets, storage);
    buckets.push(bucket);
  }
  return buckets;
}

function readKey(key: string): StorageLocation {
  try {
    return readStorage(key);
  } catch (error) {
    throw new Error(`${JSON.stringify(key)} ${error instanceof Error ? error.message : ''}`);
  }
}

/**
 * Rejects a bucket that overlaps another one. Each address must mean one bucket: otherwise, services would not
 * recognise an object that is named in two ways.
 */
function checkOthers(
  bucket: BucketSetting,
  others: readonly BucketSetting[],
  storage: Parameters<typeof parseBuckets>[1],
): void {
  const address = bucketAddress(bucket);
  const of = others.filter((other) => other.bucket === bucket.bucket);
  if (of.some(({ prefix }) => prefix === bucket.prefix)) throw new Error(`"${address}" is there twice`);
  if (of.some(({ endpoint }) => endpoint !== bucket.endpoint))
    throw new Error(`"${address}" needs the same "endpoint" as the other parts of the bucket`);
  if (storage?.bucket === bucket.bucket && storage.endpoint !== bucket.endpoint)
    throw new Error(`"${address}" is the bucket of TELECINE_STORAGE, so it needs its endpoint too`);
}
