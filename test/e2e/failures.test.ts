import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { FAILURES, failureMedia } from './failure-cases.ts';

const start = commonServer();
let media: Promise<void> | undefined;

async function ready() {
  const shared = await start();
  media ??= failureMedia(shared.server.mediaRoot);
  await media;
  return { ...shared, at: (path: string) => join(shared.server.mediaRoot, path) };
}

needs('ffmpeg').concurrent.for(sampled(FAILURES, 4))(
  '$title: $code',
  async ({ title, request, code, message: expectedMessage, fix: expectedFix }, { expect }) => {
    const { server, own, at } = await ready();
    const output = `out-${FAILURES.findIndex((one) => one.title === title)}/${request.output ?? 'x.mp4'}`;
    const job = await own.run({ ...request, output });
    expect(job).toMatchObject({ status: 'FAILED', error: { code } });
    expect(job.outputs).toBeUndefined();
    const { message = '', fix = '' } = job.error ?? {};
    expect(message).toMatch(expectedMessage);
    expect(message).toMatch(/^["A-Zf].*\.$/);
    expect(fix).toMatch(expectedFix);
    expect(job.message).toContain(message);
    expect(`${message}${fix}`).not.toContain(server.mediaRoot);
    await expect(access(at(output))).rejects.toThrow('ENOENT');
  },
);
