import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  type CreateMultipartUploadCommandOutput,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type MultipartUpload,
  type Part,
  type S3Client,
} from '@aws-sdk/client-s3';
import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import type { Leases } from '../../files/ports.ts';
import type { OutputUploads } from '../../jobs/ports/job-records.ts';
import { ifFound } from './errors.ts';
import { keepLease } from './key-locks.ts';
import type { S3Location } from './location.ts';

interface Target {
  readonly bucket: string;
  readonly key: string;
}

export interface UploadRef extends Target {
  readonly uploadId: string;
}

/** Returns the fields of a request that identify a multipart upload. */
export const namesOf = ({ bucket, key, uploadId }: UploadRef) => ({ Bucket: bucket, Key: key, UploadId: uploadId });

/** Aborts an upload, so that the server deletes its parts. Does nothing if the upload is complete or aborted. */
export async function abortUpload(client: S3Client, upload: UploadRef): Promise<void> {
  await ifFound(client.send(new AbortMultipartUploadCommand(namesOf(upload))));
}

/**
 * Lists all parts of an upload, in order. Throws if the server does not list all of them: the object would be
 * incomplete.
 */
export async function listParts(client: S3Client, upload: UploadRef): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (let marker: string | undefined, more = true; more; ) {
    const page: ListPartsCommandOutput = await client.send(
      new ListPartsCommand({ ...namesOf(upload), MaxParts: 1000, PartNumberMarker: marker }),
    );
    parts.push(...(page.Parts ?? []));
    marker = page.NextPartNumberMarker;
    more = page.IsTruncated === true;
    if (more && marker === undefined) throw new Error('The object store listed only some parts of an upload.');
  }
  return parts;
}

/**
 * The record of an open multipart upload of a client, which is stored as the data of a lease. `uploadId`: undefined
 * until the server has replied.
 */
export interface UploadRecord extends Target, Partial<Pick<UploadRef, 'uploadId'>> {
  /** In milliseconds since 1970. */
  readonly begunAt: number;
}

/** Leases on multipart uploads have names with this prefix. */
export const UPLOAD_LEASES = 'upload:';

const readRecord = (data: string): UploadRecord => JSON.parse(data) as UploadRecord;

/** Lists the open multipart uploads whose keys begin with `prefix`. */
async function listUploads(client: S3Client, bucket: string, prefix: string): Promise<readonly MultipartUpload[]> {
  const uploads: MultipartUpload[] = [];
  for (let next: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}; next !== undefined; ) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...next }),
    );
    uploads.push(...(page.Uploads ?? []));
    const { NextKeyMarker, NextUploadIdMarker, IsTruncated } = page;
    next =
      IsTruncated === true && NextKeyMarker !== undefined
        ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker !== undefined && { UploadIdMarker: NextUploadIdMarker }) }
        : undefined;
  }
  return uploads;
}

/** How far, at most, the clock of the object store may be behind the clock of this service. */
const CLOCK_SKEW_MS = 60_000;

/** How much, at most, the clocks of a crashed service and of the object store may differ. */
const CLOCKS_MS = 5 * 60_000;

/**
 * The maximum time between the record of an upload and the reply with its id. The SDK repeats a request for less than
 * four minutes.
 */
const BEGIN_MS = 10 * 60_000;

/** An upload without a record is abandoned at this age. Every job and every upload ends sooner. */
const ABANDONED_MS = 7 * 24 * HOUR_MS;

/**
 * How long to wait until other uploads to the key have recorded their ids. Without a fault, the server sends the ids
 * sooner.
 */
const PENDING_WAIT_MS = 20_000;
const POLL_MS = 250;

/** The record of an upload, by a client or an attempt. */
interface Recorded {
  readonly owner: string;
  readonly uploadId?: string;
  readonly recordedAt: number;
}

export type UnrecordedUploads = ReturnType<typeof unrecordedUploads>;

/**
 * Aborts multipart uploads whose ids are not recorded, because a reply was lost or a service crashed. Never aborts a
 * recorded upload. While another upload to the key still waits for its id, does nothing. `abandonedMs`: the age at
 * which `abortAbandoned` aborts an upload.
 */
export function unrecordedUploads(
  leases: Pick<Leases, 'list'>,
  outputs: Pick<OutputUploads, 'recordedFor'>,
  abandonedMs = ABANDONED_MS,
) {
  const recordsOf = async ({ bucket, key }: Target): Promise<readonly Recorded[]> => {
    const ofClients = (await leases.list(UPLOAD_LEASES)).flatMap(({ name, data }) => {
      const record = data === undefined ? undefined : readRecord(data);
      if (record?.bucket !== bucket || record.key !== key) return [];
      return [{ ...record, owner: name, recordedAt: record.begunAt }];
    });
    const ofJobs = (await outputs.recordedFor(bucket, key)).map(({ scratch, at, ...rest }) => ({
      ...rest,
      owner: scratch,
      recordedAt: Date.parse(at),
    }));
    return [...ofJobs, ...ofClients];
  };

  const abort = async (
    client: S3Client,
    target: Target,
    beganInTime: (initiated: number) => boolean,
    owner?: string,
  ): Promise<boolean> => {
    // List the uploads before reading the records. Then each listed upload of a service has a record, with its id or
    // still without one.
    const listed = (await listUploads(client, target.bucket, target.key)).filter(({ Key }) => Key === target.key);
    const others = (await recordsOf(target)).filter((record) => record.owner !== owner);
    // An older record without an id belongs to a crashed service.
    const isPending = ({ uploadId, recordedAt }: Recorded) =>
      uploadId === undefined && recordedAt > Date.now() - BEGIN_MS;
    if (others.some(isPending)) return false;
    const recorded = new Set(others.map(({ uploadId }) => uploadId));
    for (const { UploadId, Initiated } of listed)
      if (UploadId !== undefined && !recorded.has(UploadId) && beganInTime(Initiated?.getTime() ?? 0))
        await abortUpload(client, { ...target, uploadId: UploadId });
    return true;
  };

  return {
    /**
     * Aborts additional uploads: if the SDK repeats the request that begins an upload because a reply was lost, the
     * first request may have begun an upload whose id nobody knows. Call this after recording the id of the caller's
     * upload. Aborts only uploads that began after `begunAt` (milliseconds). Waits until other uploads to the key have
     * recorded their ids, because nothing finds the additional uploads later.
     */
    abortRepeated: async (
      client: S3Client,
      target: Target,
      begunAt: number,
      { $metadata: { attempts = 1 } }: Pick<CreateMultipartUploadCommandOutput, '$metadata'>,
    ): Promise<void> => {
      if (attempts === 1) return;
      const beganInTime = (initiated: number) => initiated >= begunAt - CLOCK_SKEW_MS;
      for (let waited = 0; !(await abort(client, target, beganInTime)) && waited < PENDING_WAIT_MS; waited += POLL_MS)
        await delay(POLL_MS);
    },
    /**
     * Aborts the uploads that belong to a record without an id: those that began soon after `recordedAt`
     * (milliseconds). `owner`: the scratch folder of an attempt, or the name of a lease. Resolves to false if the
     * caller must try again later.
     */
    abortOf: (owner: string, client: S3Client, target: Target, recordedAt: number): Promise<boolean> => {
      const beganInTime = (initiated: number) =>
        initiated >= recordedAt - CLOCKS_MS && initiated <= recordedAt + BEGIN_MS + CLOCKS_MS;
      return abort(client, target, beganInTime, owner);
    },
    /**
     * Aborts unrecorded uploads in a location after a week, also those of other programs. An upload of this service is
     * among them if a service was paused before it began the upload, a sweep removed the record meanwhile, and the
     * service was killed before it recorded the id.
     */
    abortAbandoned: async (
      client: S3Client,
      { bucket, prefix }: Pick<S3Location, 'bucket' | 'prefix'>,
    ): Promise<void> => {
      const isOld = (initiated: number) => initiated <= Date.now() - abandonedMs;
      const old = (await listUploads(client, bucket, prefix)).filter(({ Initiated }) =>
        isOld(Initiated?.getTime() ?? 0),
      );
      for (const key of new Set(old.flatMap(({ Key }) => Key ?? []))) await abort(client, { bucket, key }, isOld);
    },
  };
}

/** A service that is paused, or cannot reach the database, for longer than this loses its uploads. */
const LEASE_SECONDS = 600;

/** The maximum number of records that a sweep reads in one query. */
const BATCH = 100;

export type OpenUploads = ReturnType<typeof openUploads>;

/** Records open multipart uploads in the database, so that another service can abort them if this service crashes. */
export function openUploads(leases: Leases, unrecorded: Pick<UnrecordedUploads, 'abortOf'>) {
  /** Aborts one upload. Resolves to false if the caller must try again later. */
  const abort = async (client: S3Client, owner: string, upload: UploadRecord): Promise<boolean> => {
    const { bucket, key, uploadId, begunAt } = upload;
    if (uploadId === undefined) return unrecorded.abortOf(owner, client, { bucket, key }, begunAt);
    await abortUpload(client, { bucket, key, uploadId });
    return true;
  };
  return {
    /** Records an upload, calls `begin`, and records the upload id that `begin` returns. */
    record: async (bucket: string, key: string, begin: () => Promise<string>) => {
      const id = { name: `${UPLOAD_LEASES}${randomUUID()}`, holder: randomUUID() };
      const upload: UploadRecord = { bucket, key, begunAt: Date.now() };
      const write = (data: UploadRecord) => leases.take({ ...id, data: JSON.stringify(data) }, LEASE_SECONDS);
      await write(upload);
      await write({ ...upload, uploadId: await begin() });
      const renewing = keepLease(leases, id, LEASE_SECONDS);
      const leave = (): void => renewing[Symbol.dispose]();
      return {
        /** Stops renewing the record, so that a later sweep aborts the upload. */
        leave,
        /** Removes the record. Call this when the upload is complete or aborted. */
        remove: async (): Promise<void> => {
          leave();
          // Ignore errors: a sweep finds the record, sees that the upload does not exist, and removes the record.
          await leases.release(id).catch(() => undefined);
        },
      };
    },
    /** Aborts the open uploads of crashed services. Tries all of them, and then throws the first error. */
    sweep: async (client: S3Client): Promise<void> => {
      const holder = randomUUID();
      const errors: unknown[] = [];
      for (let more = true; more; ) {
        const expired = await leases.expired(UPLOAD_LEASES, BATCH);
        for (const { name, data } of expired) {
          // Take the lease, so that no other service aborts the same upload. If the abort fails, the lease expires, and
          // a later sweep tries again.
          if (!(await leases.take({ name, holder }, LEASE_SECONDS))) continue;
          try {
            if (data === undefined || (await abort(client, name, readRecord(data))))
              await leases.release({ name, holder });
          } catch (error) {
            errors.push(error);
          }
        }
        more = expired.length === BATCH;
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}

/** Header fields with which an object is stored, and sent to whoever downloads it from the object store. */
export type StoredHeaders = Pick<
  CreateMultipartUploadCommandInput,
  'ContentType' | 'ContentDisposition' | 'ContentEncoding' | 'ContentLanguage' | 'CacheControl'
>;

/**
 * Begins a multipart upload that a sweep aborts after a crash. Remove the record when the upload is complete or
 * aborted.
 */
export async function beginRecorded(
  client: S3Client,
  {
    bucket,
    key,
    metadata,
    headers,
  }: Target & { readonly metadata?: Record<string, string>; readonly headers?: StoredHeaders },
  {
    openUploads: open,
    unrecordedUploads: unrecorded,
  }: { readonly openUploads: OpenUploads; readonly unrecordedUploads: UnrecordedUploads },
) {
  let uploadId = '';
  let reply: CreateMultipartUploadCommandOutput | undefined;
  const begunAt = Date.now();
  const record = await open.record(bucket, key, async () => {
    reply = await client.send(
      new CreateMultipartUploadCommand({
        ...{ Bucket: bucket, Key: key },
        ...headers,
        ...(metadata && { Metadata: metadata }),
      }),
    );
    uploadId = reply.UploadId ?? '';
    return uploadId;
  });
  if (reply !== undefined) await unrecorded.abortRepeated(client, { bucket, key }, begunAt, reply);
  return { uploadId, record };
}
