import { readWebAddress, type SettingReader } from './setting.ts';

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

/**
 * Reads the address of an S3-compatible server. `{bucket}.` at the start of its host: the server expects the bucket in
 * the host name instead of the path.
 */
export const readEndpoint: SettingReader<string> = (text) => {
  const address = readWebAddress(text);
  const { username, password } = new URL(address);
  if (username !== '' || password !== '')
    throw new Error('must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  return address;
};
