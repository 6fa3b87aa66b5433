import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { startCli } from '../support/run-cli.ts';

type Json = Record<string, unknown>;

const newUser = cliUsers(commonServer());

/** A service that is taken over: a proxy that changes the JSON of each reply, and serves its own bytes for each path with `EVIL`. */
async function takenOver(target: string, change: (reply: Json) => void): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url?.includes(EVIL)) return void outgoing.end('evil');
    const { method = 'GET', headers } = incoming;
    const body = await buffer(incoming);
    const { host: _, 'content-length': __, connection: ___, 'transfer-encoding': ____, ...sent } = headers;
    const reply = await fetch(new URL(incoming.url ?? '/', target), {
      method,
      headers: sent as Record<string, string>,
      redirect: 'manual',
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    let bytes = Buffer.from(await reply.arrayBuffer());
    if (reply.headers.get('content-type')?.includes('json') === true && bytes.length > 0) {
      const value = JSON.parse(bytes.toString()) as Json;
      change(value);
      bytes = Buffer.from(JSON.stringify(value));
    }
    const kept = [...reply.headers].filter(
      ([name]) => !/^(?:content-length|transfer-encoding|connection|etag)$/.test(name),
    );
    outgoing.writeHead(reply.status, Object.fromEntries(kept)).end(bytes);
  });
  return listenOnLoopback(server);
}

const EVIL = 'Makefile';

/** Runs a command of a user whose service is taken over. */
async function withTakenOver(change: (reply: Json) => void) {
  const { server, cwd, settings } = await newUser();
  const url = await takenOver(server.url, change);
  await writeFile(join(cwd, EVIL), 'good');
  return { cwd, run: (...args: string[]) => startCli(args, { ...settings, TELECINE_URL: url }, { cwd }).ended };
}

const evilPath = (path: unknown): string => `${String(path).replace(/[^/]*$/, '')}${EVIL}`;

test.each([
  [
    'plans',
    ({ plan }: Json) => {
      const [output] = (plan as { outputs: { path: string; files: unknown[] }[] } | undefined)?.outputs ?? [];
      output?.files.push([evilPath(output.path)]);
    },
  ],
  [
    'reports',
    ({ outputs }: Json) => {
      const all = outputs as { path: string }[] | undefined;
      const [first] = all ?? [];
      if (first !== undefined) all?.push({ ...first, path: evilPath(first.path) });
    },
  ],
])('a hostile service that %s a file which the command does not name replaces and creates none', async (_, change) => {
  const { cwd, run } = await withTakenOver(change);
  for (const [output, ...options] of [
    ['out.mp4', '-p', 'c=copy'],
    ['hls/index.m3u8', '-p', 'c=copy'],
    ['out.jpg', '--preset', 'sprite-sheet'],
  ] as const) {
    const { code, stderr } = await run('convert', 'in.mp4', output, ...options, '-y');
    expect(stderr).toContain('did not order');
    expect(code).not.toBe(0);
  }
  expect(await readFile(join(cwd, EVIL), 'utf8')).toBe('good');
  const files = await readdir(cwd, { recursive: true });
  expect(files.filter((name) => !/^(?:in\.mp4|Makefile|hls)$/.test(name))).toEqual([]);
});

test('nothing that a hostile service replies reaches the terminal as a control character', async () => {
  const escapes = '\u001b[31m\u009b31m\u202eevil\u0007';
  const { run } = await withTakenOver((reply) => {
    reply['jobId'] &&= escapes;
    for (const job of (reply['jobs'] ?? []) as Json[]) job['message'] = escapes;
  });
  const submitted = await run('convert', 'in.mp4', 'server:out.mp4', '--no-wait');
  expect([submitted.code, submitted.stderr]).toEqual([1, expect.stringContaining('not a UUID')]);
  const listed = await run('jobs', 'list', '--json');
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.stdout)).toMatchObject({ jobs: [{ message: escapes }] });
  for (const { stdout, stderr } of [submitted, listed])
    expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
});
