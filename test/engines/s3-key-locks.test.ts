import type { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished } from 'vitest';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import type { FileCheck, Leases, Published } from '../../packages/service/src/files/ports.ts';
import type { OutputUploads } from '../../packages/service/src/jobs/ports/job-records.ts';
import type { PublishIntent } from '../../packages/service/src/jobs/ports/media-store.ts';
import { s3Files } from '../../packages/service/src/media/s3/files/s3-files.ts';
import { s3Parts } from '../../packages/service/src/media/s3/files/upload-parts.ts';
import { keyLocks } from '../../packages/service/src/media/s3/key-locks.ts';
import type { S3Media } from '../../packages/service/src/media/s3/store.ts';
import { type Engine, mustClaim, submitOne, type World } from '../contracts/engine.ts';
import { failure } from '../contracts/media.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { at, output, writeOutputs } from '../fixtures/media-plans.ts';
import { openS3, type S3UnderTest } from '../fixtures/s3-media.ts';
import { needs } from '../support/needs.ts';
import { s3Server, testClient } from '../support/s3.ts';
import { type S3Request, startS3Proxy } from '../support/s3-proxy.ts';
import { type FilesWithUploads, withUploads } from '../support/whole-upload.ts';

const test = needs('an S3 server');
const PATH = 'o.m3u8';
/** A small file is one request; a large one is a multipart upload, whose condition the server of the tests ignores. */
const SIZES = [
  ['small', 5],
  ['large', 9 * 2 ** 20],
] as const;

const isNew: FileCheck = (current) => {
  if (current !== undefined) throw new Problem('PRECONDITION_FAILED', 'There is one.');
};
const anything: FileCheck = () => {};

/** Waits for events by name. */
function events() {
  const seen = new Map<string, PromiseWithResolvers<string>>();
  const of = (name: string) => {
    const event = seen.get(name) ?? Promise.withResolvers<string>();
    seen.set(name, event);
    return event;
  };
  return { happened: (name: string) => of(name).promise, tell: (name: string) => of(name).resolve(name) };
}

type Events = ReturnType<typeof events>;

/** Two services on one database and one bucket: one runs jobs, and one stores uploads. Each passes a proxy. */
async function opened(database: Engine) {
  const world = await database.open();
  const t = await openS3(world);
  onTestFinished(() => t.close());
  const waits = events();
  const jobs = await heldAt(waits, 'job');
  const requests = await heldAt(waits, 'request');
  const { leases, outputUploads } = world.store;
  const telling: Leases & OutputUploads = {
    ...leases,
    ...outputUploads,
    take: async (...args) => {
      const isTaken = await leases.take(...args);
      if (!isTaken) waits.tell('request waits');
      return isTaken;
    },
    reservedBy: async (...args) => {
      const scratch = await outputUploads.reservedBy(...args);
      if (scratch !== undefined) waits.tell('request waits');
      return scratch;
    },
    anyHeld: async (...args) => {
      const isHeld = await leases.anyHeld(...args);
      if (isHeld) waits.tell('job waits');
      return isHeld;
    },
  };
  const media = await t.restart({ client: jobs.client, locks: keyLocks(telling, telling) });
  const options = { client: requests.client, locks: keyLocks(telling, telling) };
  const files = withUploads(s3Files(options), s3Parts(options));
  return { t, world, media, files, waits, holdJob: jobs.hold, holdRequest: requests.hold };
}

/** A client behind a proxy that holds the first request that is chosen, once `hold` is called. */
async function heldAt(waits: Events, who: string): Promise<{ client: S3Client; hold: typeof hold }> {
  let isHeld: ((request: S3Request) => boolean) | undefined;
  let release = Promise.withResolvers<undefined>();
  const hold = (matches: (request: S3Request) => boolean) => {
    isHeld = matches;
    release = Promise.withResolvers();
    onTestFinished(() => release.resolve(undefined));
    return () => release.resolve(undefined);
  };
  const proxy = await startS3Proxy(s3Server().endpoint, (request) => {
    if (isHeld?.(request) !== true) return undefined;
    isHeld = undefined;
    waits.tell(`${who} is held`);
    return release.promise;
  });
  const client = testClient(s3Server(), { endpoint: proxy.endpoint });
  onTestFinished(() => client.destroy());
  return { client, hold };
}

const isLastRequest = ({ method, url }: S3Request): boolean =>
  (method === 'POST' && url.includes('uploadId=')) || (method === 'PUT' && url.includes('x-id=PutObject'));

async function upload(files: FilesWithUploads, t: S3UnderTest, content: string, check = anything): Promise<Published> {
  const session = await files.beginUpload(t.root, at(PATH), { check });
  try {
    await session.append(
      (async function* () {
        yield Buffer.from(content);
      })(),
    );
    return await session.publish();
  } finally {
    await session.discard();
  }
}

/** Runs a job up to its intent to publish the content. */
async function convert(
  t: S3UnderTest,
  world: World,
  media: S3Media,
  content: string,
  more = {},
): Promise<PublishIntent> {
  const jobId = await submitOne(world);
  const { fence } = await mustClaim(world, jobId);
  const scratch = await media.openScratch(jobId, fence);
  await writeOutputs(media, scratch, { [PATH]: content });
  return media.prepare(t.root, scratch, [{ files: output(PATH, more), report: {} }], []);
}

/** Publishes as a job does: a failed job removes what it has published. Resolves to whether it was published. */
async function publish(media: S3Media, intent: PublishIntent): Promise<boolean> {
  try {
    return await media.publish(intent);
  } catch (error) {
    await media.unpublish(intent);
    throw error;
  } finally {
    await media.discard({ name: intent.scratch });
  }
}

const settled = async (promise: Promise<unknown>, name: string): Promise<string> => {
  await promise.catch(() => undefined);
  return name;
};

const oneKey = (database: Engine): void => {
  describe(`an upload and a job that write one file, with ${database.name}`, () => {
    for (const [size, bytes] of SIZES) {
      test(`a ${size} upload waits for a job that publishes, and then finds its output`, async () => {
        const { t, world, media, files, waits, holdJob } = await opened(database);
        const intent = await convert(t, world, media, 'of the job');
        const release = holdJob(isLastRequest);
        const publishing = publish(media, intent);
        await waits.happened('job is held');
        const uploading = upload(files, t, 'u'.repeat(bytes), isNew);
        const first = await Promise.race([waits.happened('request waits'), settled(uploading, 'upload is stored')]);
        release();
        expect(await publishing).toBe(true);
        await expect(uploading).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
        expect([first, await t.get(PATH)]).toEqual(['request waits', 'of the job']);
        expect(await t.openUploads()).toEqual([]);
      });

      test(`a job waits for a ${size} upload that is stored, and then fails with OUTPUT_EXISTS`, async () => {
        const { t, world, media, files, waits, holdRequest } = await opened(database);
        const intent = await convert(t, world, media, 'of the job');
        const release = holdRequest(isLastRequest);
        const uploading = upload(files, t, 'u'.repeat(bytes), isNew);
        await waits.happened('request is held');
        const publishing = publish(media, intent);
        const first = await Promise.race([waits.happened('job waits'), settled(publishing, 'output is published')]);
        release();
        expect(await uploading).toMatchObject({ before: undefined });
        await expect(publishing).rejects.toEqual(failure('OUTPUT_EXISTS'));
        expect([first, (await t.get(PATH))?.length]).toEqual(['job waits', bytes]);
        expect(await t.openUploads()).toEqual([]);
      });
    }

    test('a job with "y" replaces an upload that was stored while it waited', async () => {
      const { t, world, media, files, waits, holdRequest } = await opened(database);
      const intent = await convert(t, world, media, 'of the job', { replace: true });
      const release = holdRequest(isLastRequest);
      const uploading = upload(files, t, 'uploaded');
      await waits.happened('request is held');
      const publishing = publish(media, intent);
      await waits.happened('job waits');
      release();
      expect([await uploading, await publishing]).toMatchObject([{ before: undefined }, true]);
      expect(await t.get(PATH)).toBe('of the job');
    });

    test('an upload that replaces an output while it is deleted with its job is kept', async () => {
      const { t, world, media, files, waits, holdJob } = await opened(database);
      const intent = await convert(t, world, media, 'of the job');
      await publish(media, intent);
      const release = holdJob(({ method }) => method === 'DELETE');
      const removing = media.removeOutputs(t.root, intent.outputs);
      await waits.happened('job is held');
      const uploading = upload(files, t, 'uploaded');
      await Promise.race([waits.happened('request waits'), settled(uploading, 'upload is stored')]);
      release();
      await removing;
      await uploading;
      expect(await t.get(PATH)).toBe('uploaded');
    });

    test('an upload that replaces an output while its failed job removes it is kept', async () => {
      const { t, world, media, files, waits, holdJob } = await opened(database);
      const intent = await convert(t, world, media, 'of the job');
      await media.publish(intent);
      const release = holdJob(({ method }) => method === 'DELETE');
      const removing = media.unpublish(intent).then(() => media.discard({ name: intent.scratch }));
      await waits.happened('job is held');
      const uploading = upload(files, t, 'uploaded');
      await Promise.race([waits.happened('request waits'), settled(uploading, 'upload is stored')]);
      release();
      await removing;
      await uploading;
      expect(await t.get(PATH)).toBe('uploaded');
    });

    test('of new files that several services store at once, exactly one is stored and whole', async () => {
      const { t, world, media, files } = await opened(database);
      for (let round = 0; round < 5; round += 1) {
        const intents = [
          await convert(t, world, media, `job ${round}`),
          await convert(t, world, media, `other ${round}`),
        ];
        const contents = [`job ${round}`, `other ${round}`, 's'.repeat(5), 'l'.repeat(9 * 2 ** 20)];
        const outcomes = await Promise.allSettled([
          ...intents.map((intent) => publish(media, intent)),
          ...contents.slice(2).map((content) => upload(files, t, content, isNew)),
        ]);
        const winners = contents.filter((_, i) => outcomes[i]?.status === 'fulfilled');
        expect(winners).toEqual([await t.get(PATH)]);
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            expect([failure('OUTPUT_EXISTS'), expect.objectContaining({ code: 'PRECONDITION_FAILED' })]).toContainEqual(
              outcome.reason,
            );
        expect(await t.openUploads()).toEqual([]);
        await t.remove(PATH);
      }
    });
  });
};

oneKey(sqlite);
contractsOnPostgres([oneKey]);
