import { randomUUID } from 'node:crypto';
import { inject, test } from 'vitest';
import { type NeedName, needs } from './needs.ts';
import { diskMedia, type TestMedia } from './test-media.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engines of the servers of a project, if they are not SQLite and a disk. */
    engines?: { readonly database: 'sqlite' | 'postgres'; readonly storage: 'disk' | 's3' };
    /** The address of the PostgreSQL server of the run, without a database. */
    postgresServer?: string;
  }
}

/** The database and the media of a test server. */
export interface ServerEngines {
  /** The settings that name them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly databaseUrl?: string;
  readonly media: TestMedia;
  readonly isOnDisk: boolean;
}

const databases = new Map<string, Promise<string>>();
const buckets = new Map<string, Promise<string>>();

const once = (known: Map<string, Promise<string>>, folder: string, make: () => Promise<string>): Promise<string> => {
  const made = known.get(folder) ?? make();
  known.set(folder, made);
  return made;
};

/** Finds or creates the database and the bucket of a server. A server that starts again on its folders has the same. */
export async function enginesOf(dataDir: string, mediaRoot: string): Promise<ServerEngines> {
  const { database = 'sqlite', storage = 'disk' } = inject('engines') ?? {};
  const databaseUrl = database === 'postgres' ? await once(databases, dataDir, newDatabase) : undefined;
  const settings = databaseUrl === undefined ? {} : { TELECINE_DATABASE_URL: databaseUrl };
  const base = { ...(databaseUrl !== undefined && { databaseUrl }), isOnDisk: storage === 'disk' };
  if (storage === 'disk') return { ...base, settings, media: diskMedia(mediaRoot) };
  s3 ??= loadS3();
  const { newBucket, s3Environment, server, client, bucketMedia } = await s3;
  const bucket = await once(buckets, mediaRoot, () => newBucket(client));
  return {
    ...base,
    settings: { ...settings, ...s3Environment(server, bucket, PREFIX) },
    media: bucketMedia(client, bucket, PREFIX),
  };
}

let s3: ReturnType<typeof loadS3> | undefined;

/** The SDK of S3 is large, and most test processes use a disk alone. */
async function loadS3() {
  const [{ newBucket, s3Environment, s3Server, testClient }, { bucketMedia }] = await Promise.all([
    import('./s3.ts'),
    import('./bucket-media.ts'),
  ]);
  const server = s3Server();
  return { newBucket, s3Environment, server, client: testClient(server), bucketMedia };
}

const PREFIX = 'telecine/';

async function newDatabase(): Promise<string> {
  const server = inject('postgresServer');
  if (server === undefined) throw new Error('There is no PostgreSQL. Install it: apt-get install postgresql');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const { Client } = await import('pg');
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `${server}/${name}`;
}

/**
 * `needs(…)` for a test that makes sense only with media on a disk; elsewhere it is skipped. `_reason`: why, for readers.
 */
export const onDisk = (_reason: string, ...names: readonly NeedName[]): ReturnType<typeof needs> =>
  (inject('engines')?.storage ?? 'disk') === 'disk' ? needs(...names) : test.skip;

/** Like `onDisk`, for a test that makes sense only on SQLite. */
export const onSqlite = (_reason: string, ...names: readonly NeedName[]): ReturnType<typeof needs> =>
  (inject('engines')?.database ?? 'sqlite') === 'sqlite' ? needs(...names) : test.skip;

/** `needs(…)` for a test that makes sense only with media in a bucket; elsewhere it is skipped. `_reason`: why, for readers. */
export const inBucket = (_reason: string, ...names: readonly NeedName[]): ReturnType<typeof needs> =>
  inject('engines')?.storage === 's3' ? needs(...names) : test.skip;
