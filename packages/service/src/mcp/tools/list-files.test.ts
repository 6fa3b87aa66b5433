import type { Caller } from '@telecine/contract/domain/client.ts';
import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import { listFilesTool } from './list-files.ts';

const caller: Caller = { clientId: 'amy', scopes: ['files:read'], root: mediaRoot('/media'), policy: {} };
const CLIPS = ['clips/take1.mp4', 'clips/take2.mp4', 'clips/take10.mp4'];

/** The paths of the files that a prefix lists, or what it says to call next. */
async function listed(prefix: string) {
  const list = async (_caller: Caller, query: { readonly prefix: string }) => ({
    entries: CLIPS.filter((path) => path.startsWith(query.prefix)).map((path) => ({
      kind: 'file',
      path,
      sizeBytes: 1,
      modifiedAt: new Date(0),
    })),
  });
  const context = { deps: { files: { list } }, call: { caller }, signal: new AbortController().signal };
  const { structured } = await listFilesTool.run(listFilesTool.input.parse({ prefix }), context as never);
  const { files, next } = structured as {
    readonly files: readonly { readonly path: string }[];
    readonly next?: string;
  };
  return next ?? files.map(({ path }) => path);
}

/** What a search of the words `q` finds, or what it says to call next. `nextAfter`: where its page ends. */
async function searched(args: { readonly q: string; readonly prefix?: string }, nextAfter?: string) {
  const search = async () => ({ entries: [], nextAfter });
  const context = { deps: { files: { search } }, call: { caller }, signal: new AbortController().signal };
  const { structured } = await listFilesTool.run(listFilesTool.input.parse(args), context as never);
  return structured as { readonly next?: string; readonly nextCursor?: string };
}

test('a search that has found nothing says whether it has looked at all names, and what to call next', async () => {
  const left = await searched({ q: 'holiday' }, 'm/z.mp4');
  expect(left.next).toContain('"nextCursor" as "cursor"');
  expect(left.nextCursor).toBeDefined();
  expect((await searched({ q: 'holiday' })).next).toMatch(/^No path has all these words/);
  expect((await searched({ q: '*.mp4', prefix: 'm/' })).next).toMatch(
    /without "prefix".*"\*" is a character of a name/,
  );
  await expect(searched({ q: 'holiday', prefix: 'm/*.mp4' })).rejects.toMatchObject({
    errors: [{ field: '/prefix', code: 'WILDCARD' }],
  });
  expect(listFilesTool.input.safeParse({ q: ' ' }).success).toBe(false);
});

test('a question mark stands for one character of a name', async () => {
  expect(await listed('clips/take?.mp4')).toEqual(['clips/take1.mp4', 'clips/take2.mp4']);
  expect(await listed('clips/take??.mp4')).toEqual(['clips/take10.mp4']);
});

test('a list without files says what to list instead', async () => {
  expect(await listed('clips/*.{mp4,mov}')).toBe(
    'Nothing begins with or matches "clips/*.{mp4,mov}": call list_files with {"prefix":"clips/"}.',
  );
  expect(await listed('none/')).toContain('call list_files with {"prefix":""}');
});
