import { FILE, FOLDER, flag, optional, readWebAddress, type SettingReader, secret, setting, text } from './setting.ts';

/** A bucket of an S3-compatible store. `prefix`: the start of all keys. It is '' or ends with a slash. */
export interface StorageLocation {
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Matches a bucket and a prefix. Bucket names follow the rules of S3, but may have capitals and underscores, for other
 * stores.
 */
const STORAGE = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,62})(?:\/([^?#]*))?$/;

/** Reads `s3://BUCKET` or `s3://BUCKET/PREFIX`. The prefix is used as it is, without percent-decoding. */
export const readStorage: SettingReader<StorageLocation> = (text) => {
  const [, bucket, path = ''] = STORAGE.exec(text) ?? [];
  const segments = path.split('/').filter((segment) => segment !== '');
  if (bucket === undefined || segments.includes('.') || segments.includes('..'))
    throw new Error('must be a bucket with or without a prefix, such as s3://media or s3://media/telecine');
  return { bucket, prefix: segments.map((segment) => `${segment}/`).join('') };
};

export const readEndpoint: SettingReader<string> = (text) => {
  const address = readWebAddress(text);
  const { username, password } = new URL(address);
  if (username !== '' || password !== '')
    throw new Error('must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  return address;
};

/** Settings for media in an S3-compatible store. Without `TELECINE_STORAGE`, they have no effect. */
export const STORAGE_SETTINGS = {
  storage: optional(
    'TELECINE_STORAGE',
    { form: 's3://BUCKET or s3://BUCKET/PREFIX', read: readStorage },
    'Bucket for inputs and outputs, in S3 or a compatible store, instead of TELECINE_MEDIA_ROOT. All keys begin with the prefix. The credentials come from where the AWS SDK finds them: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, the file that `AWS_SHARED_CREDENTIALS_FILE` names, or the role of the machine.',
  ),
  storageEndpoint: optional(
    'TELECINE_STORAGE_ENDPOINT',
    secret({ form: 'an http(s) address', read: readEndpoint }),
    'Address of the S3-compatible server of TELECINE_STORAGE. The default is AWS.',
  ),
  storagePublicEndpoint: optional(
    'TELECINE_STORAGE_PUBLIC_ENDPOINT',
    secret({ form: 'an http(s) address', read: readEndpoint }),
    'Address at which clients reach the S3-compatible server of TELECINE_STORAGE. If it is set, downloads and signed links are redirected there, to an address that is valid for five minutes; otherwise the service sends the files itself. It must have another origin than the service.',
  ),
  storageRegion: setting(
    'TELECINE_STORAGE_REGION',
    text('a name such as eu-central-1'),
    'us-east-1',
    'Region of the bucket of TELECINE_STORAGE. Most S3-compatible servers accept any.',
  ),
  storagePathStyle: optional(
    'TELECINE_STORAGE_PATH_STYLE',
    flag('1 or 0'),
    'Whether the bucket is in the path of addresses (`https://host/bucket/key`) instead of the host name (`https://bucket.host/key`). The default is 1 with TELECINE_STORAGE_ENDPOINT, and 0 for AWS.',
  ),
  storageBuckets: optional(
    'TELECINE_STORAGE_BUCKETS',
    FILE,
    'JSON file with other buckets that requests may name as `s3://bucket/key`, with what each client may do there ([format](operate/s3.md#other-buckets)). It is read once, at the start.',
  ),
  scratchDir: optional(
    'TELECINE_SCRATCH_DIR',
    FOLDER,
    'Folder for the files of running conversions with TELECINE_STORAGE: copies of their inputs, and what ffmpeg writes. The default is the data folder. It must exist.',
  ),
};
