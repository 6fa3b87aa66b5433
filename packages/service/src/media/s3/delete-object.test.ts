import { DeleteObjectCommand, HeadObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { deleteIf } from './delete-object.ts';

const conflict = new S3ServiceException({
  ...{ name: 'ConditionalRequestConflict', message: 'Another request runs.', $fault: 'client' },
  $metadata: { httpStatusCode: 409 },
});

/** Deletes an object with the ETag "old". `replies`: what the server does with each deletion; the last one repeats. */
function deleted(replies: readonly ((object: { ETag: string }) => void)[]) {
  const object = { ETag: '"old"' };
  const conditions: (string | undefined)[] = [];
  const send = async (command: unknown) => {
    if (command instanceof HeadObjectCommand) return { ...object };
    if (!(command instanceof DeleteObjectCommand)) throw new Error('Only heads and deletions are expected.');
    conditions.push(command.input.IfMatch);
    replies[Math.min(conditions.length, replies.length) - 1]?.(object);
    return {};
  };
  const client = { send } as unknown as S3Client;
  const result = deleteIf(client, 'media', 'a.mp4', ({ ETag }) => ETag === '"old"');
  return { conditions, result };
}

const conflicts = (): never => {
  throw conflict;
};

test('repeats a deletion that conflicts with another request, with its condition', async () => {
  const { result, conditions } = deleted([conflicts, conflicts, () => {}]);
  expect(await result).toBe(true);
  expect(conditions).toEqual(['"old"', '"old"', '"old"']);
});

test('deletes nothing if the request that conflicts has replaced the object', async () => {
  const { result, conditions } = deleted([
    (object) => {
      object.ETag = '"new"';
      throw conflict;
    },
  ]);
  expect(await result).toBe(false);
  expect(conditions).toEqual(['"old"']);
});

test('fails if other requests conflict again and again, and never deletes without the condition', async () => {
  const { result, conditions } = deleted([conflicts]);
  await expect(result).rejects.toBe(conflict);
  expect(conditions).toEqual(Array.from({ length: 5 }, () => '"old"'));
});
