import { expect, onTestFinished } from 'vitest';
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
        const isPut = ({ method, url }: S3Request): boolean => method === 'PUT' && url.includes('x-id=PutObject');
        const proxy = await startS3Proxy(s3Server().endpoint, (request) => (isPut(request) ? 'reset' : undefined));
        const client = testClient(s3Server(), { endpoint: proxy.endpoint });
        onTestFinished(() => client.destroy());
        return { parts: t.openParts({ client }), killed: new Promise(() => {}) };
      },
      hidden: async () => [...(await t.all()).filter((key) => key.startsWith('.telecine')), ...(await t.uploads())],
    };
  },
  test,
);

test('an upload whose file appeared and was then deleted, before that was stored, is gone', async () => {
  const t = await openS3Files();
  onTestFinished(() => t.close());
  const parts = t.openParts();
  const upload = {
    uploadId: 'u',
    clientId: 'own',
    root: t.root,
    path: at('a.bin'),
    sizeBytes: 4,
    offsetBytes: 0,
    data: '',
  };
  await parts.begin(upload, () => {});
  const { offsetBytes, rest } = await parts.append(
    upload,
    (async function* () {
      yield Buffer.from('1234');
    })(),
    async () => {},
  );
  const publish = (more: object = {}) =>
    parts.publish({ ...upload, offsetBytes }, { check: () => {}, save: async () => {}, ...more });
  await publish({ rest });
  await t.files.remove(t.root, at('a.bin'));
  await expect(publish()).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' });
});
