import { expect, onTestFinished } from 'vitest';
import { openUploads, UPLOAD_LEASES } from '../../packages/service/src/media/s3/multipart-uploads.ts';
import { uploadPartsContract } from '../contracts/upload-parts.ts';
import { at } from '../fixtures/media-plans.ts';
import { openS3Files } from '../fixtures/s3-files.ts';
import { needs } from '../support/needs.ts';
import { s3Server, testClient } from '../support/s3.ts';
import { type S3Request, startS3Proxy } from '../support/s3-proxy.ts';

const test = needs('an S3 server');

uploadPartsContract(
  'an S3 server',
  async () => {
    const t = await openS3Files();
    return {
      ...t,
      parts: t.openParts(),
      whenGone: 'UPLOAD_NOT_FOUND',
      again: async () => t.openParts(),
      killedOnceKept: async () => {
        const isComplete = ({ method, url }: S3Request): boolean => method === 'POST' && url.includes('uploadId=');
        const proxy = await startS3Proxy(s3Server().endpoint, (request) => (isComplete(request) ? 'reset' : undefined));
        const client = testClient(s3Server(), { endpoint: proxy.endpoint });
        onTestFinished(() => client.destroy());
        return { parts: t.openParts({ client }), killed: new Promise(() => {}) };
      },
      hidden: async () => [
        ...(await t.all()).filter((key) => key.startsWith('.telecine')),
        ...(await t.uploads()),
        ...(await t.leases.list(UPLOAD_LEASES)).map(({ name }) => name),
      ],
    };
  },
  test,
);

test('an upload whose file appeared and was then deleted, before that was stored, is gone', async () => {
  const t = await openS3Files();
  onTestFinished(() => t.close());
  const parts = t.openParts();
  const upload = { uploadId: 'u', clientId: 'own', root: t.root, path: at('a.bin'), sizeBytes: 4, offsetBytes: 0 };
  const data = await parts.begin(upload, () => {});
  const bytes = (async function* () {
    yield Buffer.from('1234');
  })();
  await parts.append({ ...upload, data }, bytes, async () => {});
  const publish = () =>
    parts.publish(
      { ...upload, offsetBytes: 4, data },
      () => {},
      async () => {},
    );
  await publish();
  await t.files.remove(t.root, at('a.bin'), () => {});
  await expect(publish()).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
});

test('the sweep aborts the multipart upload of an upload that nobody has used for long, and no other', async () => {
  const t = await openS3Files();
  onTestFinished(() => t.close());
  const begin = (path: string, expirySeconds: number) =>
    t
      .openParts({ expirySeconds })
      .begin({ uploadId: path, clientId: 'own', root: t.root, path: at(path), sizeBytes: 9, offsetBytes: 0 }, () => {});
  await begin('used', 60);
  // Its lease has ended.
  await begin('unused', -7201);
  await openUploads(t.leases, t.unrecorded).sweep(t.client);
  expect((await t.uploads()).map((key) => key.split('/').at(-1))).toEqual(['used']);
});
