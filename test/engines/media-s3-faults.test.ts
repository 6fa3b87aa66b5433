import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished } from 'vitest';
import { StorageDown } from '../../packages/contract/src/domain/failure.ts';
import type { MediaStore, StagedInput, WhileDown } from '../../packages/service/src/jobs/ports/media-store.ts';
import { abortAbandoned } from '../../packages/service/src/media/s3/multipart-uploads.ts';
import type { PublishStep } from '../../packages/service/src/media/s3/publish/prepare.ts';
import { mustClaim } from '../contracts/engine.ts';
import { failure } from '../contracts/media.ts';
import { disturbed, finish, opened } from '../fixtures/disturbed-s3.ts';
import { input, output, writeOutputs } from '../fixtures/media-plans.ts';
import type { S3UnderTest } from '../fixtures/s3-media.ts';
import { needs } from '../support/needs.ts';
import type { S3Fault, S3Request } from '../support/s3-proxy.ts';

const test = needs('an S3 server');
const MEBIBYTE = 2 ** 20;

/** Returns the fault for the first requests that match. */
const firstly = (times: number, matches: (request: S3Request) => boolean, fault: S3Fault) => {
  let left = times;
  return (request: S3Request) => (matches(request) && left-- > 0 ? fault : undefined);
};

const isPart = ({ method, url }: S3Request) => method === 'PUT' && url.includes('partNumber=');
const isComplete = ({ method, url }: S3Request) => method === 'POST' && url.includes('uploadId=');

const mounted = (media: MediaStore, staged: readonly StagedInput[]) => media.mounts(staged)[0]?.hostPath ?? '';

describe('staging from S3', () => {
  const BIG = randomBytes(40 * MEBIBYTE);

  const stageBig = async (media: MediaStore, t: S3UnderTest, options = {}, fence = 1) => {
    await t.client.send(new PutObjectCommand({ Bucket: t.bucket, Key: 'telecine/clients/amy/big.mp4', Body: BIG }));
    const scratch = await media.openScratch('job', fence);
    return media.stage(t.root, scratch, [input('big.mp4')], [output('o.m3u8')], options);
  };
  const isRange = ({ method, url }: S3Request) => method === 'GET' && url.includes('big.mp4');

  test('copies a file whole although connections end half way, and reports its progress', async () => {
    const t = await opened();
    const { media, requests } = await disturbed(t, firstly(3, isRange, { cutAfterBytes: 3 * MEBIBYTE }));
    const percents: number[] = [];
    const staged = await stageBig(media, t, { onProgress: (percent: number) => percents.push(percent) });
    expect((await readFile(mounted(media, staged))).equals(BIG)).toBe(true);
    expect(requests.filter(isRange).length).toBe(6);
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
  });

  test('waits while the server asks for fewer requests', async () => {
    const t = await opened();
    const { media } = await disturbed(
      t,
      firstly(4, () => true, 'slow down'),
    );
    expect((await readFile(mounted(media, await stageBig(media, t)))).equals(BIG)).toBe(true);
  });

  test('reads on when a connection stalls', async () => {
    const t = await opened();
    const stalled = Promise.withResolvers<undefined>();
    onTestFinished(() => stalled.resolve(undefined));
    let first = true;
    const { media } = await disturbed(t, (request) => {
      if (!isRange(request) || !first) return undefined;
      first = false;
      return stalled.promise;
    });
    expect((await readFile(mounted(media, await stageBig(media, t)))).equals(BIG)).toBe(true);
  });

  test('a signal ends it at once, with the reason of the signal', async () => {
    const t = await opened();
    const stop = new AbortController();
    const never = Promise.withResolvers<undefined>();
    onTestFinished(() => never.resolve(undefined));
    const { media } = await disturbed(t, (request) => {
      if (!isRange(request)) return undefined;
      stop.abort('cancel');
      return never.promise;
    });
    await expect(stageBig(media, t, { signal: stop.signal })).rejects.toBe('cancel');
  });

  test('fails if another file replaces the input while it is read', async () => {
    const t = await opened();
    let replaced = false;
    const { media } = await disturbed(t, async (request) => {
      if (!isRange(request) || replaced) return undefined;
      replaced = true;
      await t.put('big.mp4', 'another film');
      return undefined;
    });
    await expect(stageBig(media, t)).rejects.toThrow('"big.mp4" was replaced while it was read');
  });

  test('copies nothing that is larger than the limit or the free disk', async () => {
    const t = await opened();
    const { media, requests } = await disturbed(t, () => undefined);
    const tooLarge = new Error('too large');
    const checkSizes = () => {
      throw tooLarge;
    };
    await expect(stageBig(media, t, { checkSizes })).rejects.toBe(tooLarge);
    const full = await t.restart({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(stageBig(full, t, {}, 2)).rejects.toEqual(failure('NO_SPACE'));
    expect(requests.filter(isRange).map(({ method }) => method)).not.toContain('GET');
  });
});

describe('publishing to S3', () => {
  const FILES = { 'o.m3u8': 'list', 'o0.ts': 'zero', 'o1.ts': 'one' };

  test.each<[string, S3Fault]>([
    ['resets', 'reset'],
    ['replies that get lost', 'lose reply'],
    ['requests to slow down', 'slow down'],
  ])('survives %s of parts and of completed uploads', async (_title, fault) => {
    const t = await opened();
    const parts = firstly(2, isPart, fault);
    const completed = firstly(2, isComplete, fault);
    const { media } = await disturbed(t, (request) => parts(request) ?? completed(request));
    const intent = await finish(t, media, FILES);
    expect(await media.publish(intent)).toBe(true);
    await media.discard({ name: intent.scratch });
    expect([await t.get('o.m3u8'), await t.get('o0.ts'), await t.get('o1.ts')]).toEqual(['list', 'zero', 'one']);
    expect(await t.openUploads()).toEqual([]);
  });

  test('an outage longer than the repeats of one request interrupts no preparation, and keeps what is uploaded', async () => {
    const t = await opened();
    // The SDK sends a request six times, and not again after a reply that is not worth it.
    const down = { status: 503, code: 'ServiceUnavailable' };
    const { media, requests } = await disturbed(
      t,
      firstly(6, (one) => isPart(one) && one.url.includes('o1.ts'), down),
    );
    const waits: unknown[] = [];
    const whileDown: WhileDown = (work) =>
      work().catch((error: unknown) => {
        waits.push(error);
        return work();
      });
    const scratch = await media.openScratch('job', 1);
    await writeOutputs(media, scratch, { 'o.m3u8': 'list', 'o1.ts': 'one' });
    const files = [{ files: output('o.m3u8'), report: {} }];
    const intent = await media.prepare(t.root, scratch, files, [], { whileDown });
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.every((error) => error instanceof StorageDown)).toBe(true);
    expect(requests.filter((one) => isPart(one) && !one.url.includes('o1.ts'))).toHaveLength(1);
    expect(await media.publish(intent)).toBe(true);
    expect([await t.get('o.m3u8'), await t.get('o1.ts')]).toEqual(['list', 'one']);
    expect(await t.openUploads()).toEqual([]);
  });

  test('an upload that was begun twice, because a reply got lost, leaves no parts', async () => {
    const t = await opened();
    const isCreate = ({ method, url }: S3Request) => method === 'POST' && url.includes('uploads');
    const { media, requests } = await disturbed(t, firstly(2, isCreate, 'lose reply'));
    const intent = await finish(t, media, FILES);
    expect(requests.filter(isCreate).length).toBe(5);
    expect(await media.publish(intent)).toBe(true);
    expect((await t.openUploads()).length).toBe(2);
    await abortAbandoned(t.client, { bucket: t.bucket, prefix: 'telecine/' }, async () => false, 0);
    expect(await t.openUploads()).toEqual([]);
  });

  test('a failing server fails the job, and what is left goes when the server works again', async () => {
    const t = await opened();
    const { media } = await disturbed(t, (request) => (isComplete(request) ? 'slow down' : undefined));
    const intent = await finish(t, media, FILES);
    await expect(media.publish(intent)).rejects.toEqual(failure('STORAGE_FAULT'));
    await t.media.unpublish(intent);
    await t.media.discard({ name: intent.scratch });
    expect([await t.list(), await t.openUploads()]).toEqual([[], []]);
  });

  describe('an output that another one replaces while it is removed', () => {
    /** Publishes, and removes the output while requests to delete it are answered like this. */
    const removed = async (answer: (ifMatch: string | undefined, t: S3UnderTest) => Promise<S3Fault | undefined>) => {
      const t = await opened();
      const { media } = await disturbed(t, ({ method, url, ifMatch }) =>
        method === 'DELETE' && !url.includes('uploadId=') ? answer(ifMatch, t) : undefined,
      );
      const intent = await finish(t, media, { 'o.m3u8': 'list' });
      expect(await media.publish(intent)).toBe(true);
      await media.unpublish(intent);
      return t;
    };
    const etagOf = async ({ client, bucket }: S3UnderTest) =>
      (await client.send(new HeadObjectCommand({ Bucket: bucket, Key: 'telecine/clients/amy/o.m3u8' }))).ETag;

    test('stays on a server that knows conditional deletions, although this process was paused before its request', async () => {
      const t = await removed(async (ifMatch, world) => {
        await world.put('o.m3u8', 'newer');
        // As S3 does; the server of the tests deletes without the condition.
        return ifMatch === (await etagOf(world)) ? undefined : { status: 412, code: 'PreconditionFailed' };
      });
      expect(await t.get('o.m3u8')).toBe('newer');
    });

    test.each([
      [412, 'PreconditionFailed'],
      [501, 'NotImplemented'],
      [400, 'InvalidArgument'],
    ])('is removed from a server that answers %i to every condition', async (status, code) => {
      const t = await removed(async (ifMatch) => (ifMatch === undefined ? undefined : { status, code }));
      expect(await t.list()).toEqual([]);
    });
  });

  const STEPS: readonly PublishStep[] = ['created', 'recorded', 'uploaded', 'reserved', 'completed'];
  const crash = new Error('crash');
  const crashing = (step: PublishStep) => (reached: PublishStep) => {
    if (reached === step) throw crash;
  };

  test.each(STEPS)('a crash after the step "%s" leaves nothing once its scratch folder is not live', async (step) => {
    const t = await opened();
    const media = await t.restart({ failpoint: crashing(step) });
    await expect(
      finish(t, media, FILES).then(async (intent) => {
        try {
          await media.publish(intent);
        } finally {
          await t.media.unpublish(intent);
        }
      }),
    ).rejects.toBe(crash);
    const next = await t.restart();
    await next.sweep(async () => []);
    expect([await t.list(), await t.openUploads()]).toEqual([[], []]);
    expect(await t.world.store.outputUploads.scratchNames()).toEqual([]);
  });

  test.each(['reserved', 'completed'] as const)('publishing is finished after a crash after "%s"', async (step) => {
    const t = await opened();
    const media = await t.restart({ failpoint: crashing(step) });
    const intent = await finish(t, media, FILES);
    await expect(media.publish(intent)).rejects.toBe(crash);
    const next = await t.restart();
    await next.sweep(async () => [intent.scratch]);
    expect(await next.publish(intent)).toBe(true);
    expect(await t.get('o.m3u8')).toBe('list');
    await next.discard({ name: intent.scratch });
    expect(await t.openUploads()).toEqual([]);
  });

  test('what a crashed attempt began without recording it is aborted, but no upload of another job', async () => {
    const t = await opened();
    await expect(finish(t, await t.restart({ failpoint: crashing('created') }), FILES)).rejects.toBe(crash);
    const intent = await finish(t, t.media, FILES);
    expect((await t.openUploads()).length).toBe(6);
    await (await t.restart()).sweep(async () => [intent.scratch]);
    expect((await t.openUploads()).length).toBe(3);
    expect(await t.world.store.outputUploads.scratchNames()).toEqual([intent.scratch]);
    expect(await t.media.publish(intent)).toBe(true);
  });

  test('an output appears only after the files that it refers to', async () => {
    const t = await opened();
    const seen: (readonly string[])[] = [];
    const { media } = await disturbed(t, async (request) => {
      if (isComplete(request)) seen.push([request.url.split('?')[0]?.split('/').at(-1) ?? '', ...(await t.list())]);
      return undefined;
    });
    expect(await media.publish(await finish(t, media, FILES))).toBe(true);
    expect(seen.at(-1)).toEqual(['o.m3u8', 'o0.ts', 'o1.ts']);
  });

  test('of two jobs with one output, one publishes and the other fails', async () => {
    const t = await opened();
    const intents = [await finish(t, t.media, FILES), await finish(t, await t.restart(), FILES)];
    const outcomes = await Promise.allSettled(
      intents.map(async (intent) => {
        const published = await t.media.publish(intent);
        await t.media.discard({ name: intent.scratch });
        return published;
      }),
    );
    // The loser waits for the reservation of the winner, which ends with its job.
    for (const intent of intents) await t.media.discard({ name: intent.scratch });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([{ status: 'fulfilled', value: true }]);
    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))).toEqual([
      failure('OUTPUT_EXISTS'),
    ]);
    expect(await t.openUploads()).toEqual([]);
  });

  test('a worker that was stopped publishes nothing after its job was taken over', async () => {
    const t = await opened();
    const intent = await finish(t, t.media, FILES);
    const other = await t.restart();
    const [jobId = ''] = intent.scratch.split('.');
    const { fence } = await mustClaim(t.world, jobId);
    await other.discardEarlier(jobId, fence, undefined);
    expect(await t.media.publish(intent)).toBe(false);
    expect([await t.list(), await t.openUploads()]).toEqual([[], []]);
  });

  test('a signal ends the upload of the files', async () => {
    const t = await opened();
    const stop = new AbortController();
    const never = Promise.withResolvers<undefined>();
    onTestFinished(() => never.resolve(undefined));
    const { media } = await disturbed(t, (request) => {
      if (!isPart(request)) return undefined;
      stop.abort('drain');
      return never.promise;
    });
    const scratch = await media.openScratch('job', 1);
    await writeOutputs(media, scratch, FILES);
    await expect(
      media.prepare(t.root, scratch, [{ files: output('o.m3u8'), report: {} }], [], { signal: stop.signal }),
    ).rejects.toBe('drain');
    await media.discard(scratch);
    expect(await t.openUploads()).toEqual([]);
  });

  test('a signal while the server begins uploads leaves none of them', async () => {
    const t = await opened();
    const stop = new AbortController();
    const done = Promise.withResolvers<void>();
    let begun = 0;
    const isCreate = ({ method, url }: S3Request) => method === 'POST' && url.includes('uploads');
    const { media } = await disturbed(t, (request) => {
      if (!isCreate(request) || ++begun < 3) return undefined;
      stop.abort('cancel');
      return { lateMs: 200, onDone: done.resolve };
    });
    const scratch = await media.openScratch('job', 1);
    await writeOutputs(media, scratch, FILES);
    await expect(
      media.prepare(t.root, scratch, [{ files: output('o.m3u8'), report: {} }], [], { signal: stop.signal }),
    ).rejects.toBe('cancel');
    await media.discard(scratch);
    await done.promise;
    expect(await t.world.store.outputUploads.scratchNames()).toEqual([]);
    expect(await t.openUploads()).toEqual([]);
  });

  /** Begins an upload that nobody records. */
  const beginUpload = async (t: S3UnderTest, path: string): Promise<string> => {
    const object = { Bucket: t.bucket, Key: `telecine/clients/amy/${path}` };
    const { UploadId } = await t.client.send(new CreateMultipartUploadCommand(object));
    await t.client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: 'part' }));
    return object.Key;
  };

  test('the upload of another program to an output stays', async () => {
    const t = await opened();
    const key = await beginUpload(t, 'other.ts');
    await t.media.sweep(async () => []);
    expect(await t.openUploads()).toEqual([key]);
  });

  test('an upload that a worker began after its claim was lost, and never recorded, is aborted when it is old', async () => {
    const t = await opened();
    await beginUpload(t, 'o0.ts');
    await beginUpload(t, 'lost.ts');
    await t.client.send(new CreateMultipartUploadCommand({ Bucket: t.bucket, Key: 'elsewhere.ts' }));
    const storage = { bucket: t.bucket, prefix: 'telecine/' };
    await abortAbandoned(t.client, storage, async () => false);
    expect(await t.openUploads()).toHaveLength(3);
    await abortAbandoned(t.client, storage, async () => false, 0);
    expect(await t.openUploads()).toEqual(['elsewhere.ts']);
  });

  test('a published object tells which attempt wrote it', async () => {
    const t = await opened();
    const intent = await finish(t, t.media, FILES);
    await t.media.publish(intent);
    const key = { Bucket: t.bucket, Key: 'telecine/clients/amy/o.m3u8' };
    const { Metadata } = await t.client.send(new GetObjectCommand(key));
    expect(Metadata).toEqual({ 'telecine-output': intent.outputs[0]?.fingerprint });
    expect(intent.outputs[0]?.fingerprint).toMatch(new RegExp(`^${intent.scratch}\\.\\d+$`));
  });
});
