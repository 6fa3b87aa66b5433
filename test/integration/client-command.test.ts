import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localClients } from '../../packages/cli/src/commands/client/clients-in-store.ts';
import { declare } from '../../packages/cli/src/commands/client.ts';
import type { AuditEvent } from '../../packages/contract/src/domain/audit.ts';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import { folderRoots } from '../../packages/service/src/start/client-roots.ts';
import { memoryAuthStores } from '../support/memory-auth-stores.ts';

let place: string;
let media: string;
beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'telecine-client-')));
  media = join(place, 'media');
  await mkdir(media);
});
afterEach(() => rm(place, { recursive: true, force: true }));

/** The command on real folders. Its clients are in memory, since these tests do not need a database. */
function commandLine(answer?: boolean) {
  const questions: string[] = [];
  const events: AuditEvent[] = [];
  const clients = createClients({ ...memoryAuthStores(), now: Date.now });
  const call = localClients(clients, folderRoots(media, [join(place, 'data')]), async (event) => {
    events.push(event);
  });
  let open = 0;
  async function run(...argv: string[]) {
    const printed: string[] = [];
    const complaints: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line));
    vi.spyOn(console, 'error').mockImplementation((line) => void complaints.push(`${line}\n`));
    const program = new Command('telecine');
    declare(program.command('client'), {
      open: async () => {
        open += 1;
        return {
          call,
          [Symbol.asyncDispose]: async () => {
            open -= 1;
          },
        };
      },
      confirm: async (question) => {
        questions.push(question);
        return answer;
      },
    });
    await program.parseAsync(['client', ...argv], { from: 'user' });
    const exitCode = process.exitCode ?? 0;
    process.exitCode = undefined;
    vi.restoreAllMocks();
    expect(open, 'what was opened is closed').toBe(0);
    return { exitCode, out: printed.join('\n'), err: complaints.join('') };
  }
  return { run, clients, questions, events };
}

test('rejects a media root in a reserved folder, also by symlink', async () => {
  const { run } = commandLine();
  await mkdir(join(place, 'data', 'catalogues'), { recursive: true });
  await symlink(join(place, 'data'), join(media, 'alias'));
  for (const dir of [join(place, 'data'), join(place, 'data', 'catalogues'), 'alias'])
    expect(await run('add', 'amy', '--root', dir)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('itself'),
    });
  expect(await run('add', 'amy', '--root', place)).toMatchObject({ exitCode: 0 });
});

test('add shows the secret, and list never does', async () => {
  const { run } = commandLine();
  const added = await run('add', 'studio');
  expect(added.exitCode).toBe(0);
  const secret = /tcs_[\w-]{43}/.exec(added.out)?.[0];
  expect(secret).toBeDefined();
  expect(added.out).toContain(media);
  const listed = await run('list');
  expect(listed.out).toMatch(
    /^NAME +STATE +CREATED +LAST USED +SCOPES +MEDIA ROOT\nstudio +active +\d{4}-\d\d-\d\d +never +/,
  );
  expect(listed.out + (await run('list', '--json')).out).not.toMatch(/tcs_|scrypt/);
});

test('add asks before a folder with files becomes the media root of a client of that name', async () => {
  await mkdir(join(media, 'films'));
  await mkdir(join(media, 'empty'));
  await writeFile(join(media, 'films/casablanca.mp4'), '');
  for (const answer of [undefined, false]) {
    const { run, questions } = commandLine(answer);
    const refused = await run('add', 'films');
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringMatching(/films" is not empty[\s\S]*--yes/) });
    expect(questions).toEqual([expect.stringMatching(/read, replace and delete .* Use it/)]);
    expect(JSON.parse((await run('list', '--json')).out).clients).toEqual([]);
    expect(await run('add', 'empty')).toMatchObject({ exitCode: 0 });
    expect(await run('add', 'new')).toMatchObject({ exitCode: 0 });
    // No question if the operator names the folder with --root, or answers in advance with --yes.
    expect(await run('add', 'amy', '--root', 'films')).toMatchObject({ exitCode: 0 });
    expect(await run('add', 'films', '--yes')).toMatchObject({ exitCode: 0 });
    expect((await run('add', 'films')).err).toContain('films');
    expect(questions).toHaveLength(1);
  }
  expect(await commandLine(true).run('add', 'films')).toMatchObject({ exitCode: 0 });
});

test('add --external binds a subject and shows no secret; list shows the subject of each client', async () => {
  const { run } = commandLine();
  const added = await run('add', 'amy', '--external', 'user|7');
  expect(added).toMatchObject({ exitCode: 0, out: expect.stringContaining('subject        user|7') });
  expect(added.out).not.toContain('secret');
  expect(JSON.parse((await run('add', 'bob', '--external', 'user|8', '--json')).out)).toEqual({
    clientId: 'bob',
    externalSubject: 'user|8',
    scopes: ['jobs:read', 'jobs:write', 'files:read', 'files:write'],
    root: join(media, 'bob'),
  });
  expect((await run('list')).out).toMatch(/ EXTERNAL SUBJECT\namy .* user\|7\nbob .* user\|8$/);
  expect((await run('add', 'eve', '--external', 'user|7')).err).toContain('belongs to the client "amy"');
});

test('every subcommand prints JSON with --json', async () => {
  const { run } = commandLine();
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).out);
  const added = await json('add', 'studio', '--scope', 'jobs:read,files:read', '--scope', 'jobs:write');
  expect(added).toEqual({
    clientId: 'studio',
    clientSecret: expect.stringMatching(/^tcs_/),
    scopes: ['jobs:read', 'files:read', 'jobs:write'],
    root: join(media, 'studio'),
  });
  const rotated = await json('rotate', 'studio');
  expect(rotated.clientSecret).not.toBe(added.clientSecret);
  expect(await json('revoke', 'studio', '--yes')).toMatchObject({ clientId: 'studio', revokedAt: expect.any(String) });
  expect(await json('list')).toMatchObject({ clients: [{ clientId: 'studio', root: join(media, 'studio') }] });
});

test('creates a client’s root below the media root, and resolves symlinks', async () => {
  const { run } = commandLine();
  const root = async (...argv: string[]) => JSON.parse((await run('add', ...argv, '--json')).out).root;
  expect(await root('a', '--root', 'teams/a')).toBe(join(media, 'teams/a'));
  expect(await readdir(join(media, 'teams'))).toEqual(['a']);
  expect(await root('b', '--root', join(media, 'teams/b'))).toBe(join(media, 'teams/b'));
  await mkdir(join(place, 'elsewhere'));
  await symlink(join(place, 'elsewhere'), join(place, 'link'));
  expect(await root('c', '--root', join(place, 'link'))).toBe(join(place, 'elsewhere'));
});

test('rejects an unusable root with the reason, and adds no client', async () => {
  const { run, clients } = commandLine();
  await writeFile(join(media, 'file'), '');
  for (const [dir, reason] of [
    [join(place, 'missing'), 'There is no folder'],
    ['../missing', 'There is no folder'],
    ['file', 'is not a folder'],
    ['file/below', 'is not a folder'],
    ['.telecine/x', 'belong to the service'],
    ['', 'is empty'],
    ['n'.repeat(300), 'not a folder that the service can use'],
    [`${'deep/'.repeat(1000)}x`, 'more than 1000 bytes'],
  ] as const) {
    const { exitCode, err } = await run('add', 'studio', '--root', dir);
    expect(exitCode, dir).toBe(2);
    expect(err, dir).toContain(reason);
  }
  expect(await clients.list()).toEqual([]);
  expect(await readdir(place)).toEqual(['media']);
});

test('an error lists the allowed values and what to send instead', async () => {
  const { run } = commandLine();
  await run('add', 'studio');
  expect((await run('add', 'other', '--scope', 'jobs:raed')).err).toBe(
    'error: "jobs:raed" is not a scope.\nAllowed: jobs:read, jobs:write, files:read, files:write, admin.\nSend "jobs:read".\n',
  );
  expect((await run('add', 'other', '--scope', '')).err).toContain('"" is not a scope');
  expect((await run('add', 'studio')).err).toContain('already');
  expect((await run('rotate', 'studoi')).err).toBe('error: There is no client "studoi". Did you mean "studio"?\n');
  expect((await run('revoke', 'nobody')).exitCode).toBe(2);
});

test('sets, removes and restores the limits of a client', async () => {
  const { run, clients } = commandLine();
  const added = await run('add', 'studio', '--limit', 'duration=2h,pixels=7680x4320', '--limit', 'threads=none');
  expect(added.exitCode).toBe(0);
  expect((await run('list')).out).toMatch(/LIMITS\n.*duration=7200 pixels=33177600 threads=none$/);
  expect((await run('set', 'studio', '--limit', 'pixels=default', '--limit', 'cpu=15m')).out).toMatch(
    /^limits +duration=7200 threads=none cpu=900$/m,
  );
  expect((await clients.list())[0]?.limits).toEqual({ duration: 7200, threads: null, cpu: 900 });
  expect((await run('list')).out).toMatch(/LIMITS\n.*duration=7200 threads=none cpu=900$/);
  const set = await run('set', 'studio', '--json', '--limit', 'duration=default,threads=default,cpu=default');
  expect(JSON.parse(set.out)).toMatchObject({ clientId: 'studio', limits: {} });
  expect((await run('list')).out).not.toContain('LIMITS');
});

test('an invalid limit changes nothing, and the error says what is allowed', async () => {
  const { run, clients } = commandLine();
  const refused = await run('add', 'studio', '--limit', 'duration=soon');
  expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('duration must be a time such as 90') });
  expect(await clients.list()).toEqual([]);
  expect((await run('set', 'nobody', '--limit', 'time=1h')).err).toContain('There is no client "nobody"');
  await run('add', 'studio');
  const unknown = await run('set', 'studio', '--limit', 'length=1');
  expect(unknown.err).toMatch(/unknown limit "length"; allowed: input, fetch, output, scratch/);
  expect((await run('set', 'studio')).exitCode).toBe(2);
});

test('a client gets a folder of its own in the media root, and shares the whole only by choice', async () => {
  const { run, clients } = commandLine();
  const root = async (...argv: string[]) => JSON.parse((await run('add', ...argv, '--json')).out).root;
  expect(await root('studio')).toBe(join(media, 'studio'));
  expect(await readdir(media)).toEqual(['studio']);
  expect(await root('all', '--root', '.')).toBe(media);
  expect(await root('all2', '--root', media)).toBe(media);
  // The record of a client that shares the media root of the service contains no root.
  expect((await clients.list()).map(({ root: own }) => own)).toEqual([undefined, undefined, join(media, 'studio')]);
});

test.each(['/', '/etc', '/etc/skel', '/usr/lib', '/var/lib', '/proc', '/home'])(
  'rejects the system folder %s as the root of a client',
  async (dir) => {
    const { run, clients } = commandLine();
    expect(await run('add', 'amy', '--root', dir)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('is a folder of the system'),
    });
    expect(await clients.list()).toEqual([]);
  },
);

test('set changes scopes and the media root, and rejects a change of nothing', async () => {
  const { run, clients } = commandLine();
  await run('add', 'studio', '--limit', 'duration=2h');
  const { out } = await run('set', 'studio', '--scope', 'jobs:read', '--root', 'other');
  expect(out).toMatch(/^scopes +jobs:read$/m);
  expect(out).toContain(`media root  ${join(media, 'other')}\n`);
  expect(await clients.list()).toMatchObject([
    { scopes: ['jobs:read'], root: join(media, 'other'), limits: { duration: 7200 } },
  ]);
  expect(JSON.parse((await run('set', 'studio', '--root', '.', '--json')).out).root).toBe(media);
  expect((await run('set', 'studio', '--root', '/etc')).err).toContain('is a folder of the system');
  expect((await run('set', 'studio')).err).toContain('Send --root, --scope or --limit.');
  await run('revoke', 'studio', '--yes');
  expect((await run('set', 'studio', '--scope', 'jobs:read')).err).toContain('was revoked, which cannot be undone');
});

test('revoking asks first on a terminal, and elsewhere needs --yes', async () => {
  const states = async ({ clients }: ReturnType<typeof commandLine>) =>
    (await clients.list()).map(({ revokedAt }) => revokedAt !== undefined);
  const unattended = commandLine();
  await unattended.run('add', 'studio');
  expect((await unattended.run('revoke', 'studio')).err).toMatch(
    /not revoked\. Revoking cannot be undone\..*\n.*--yes/s,
  );
  expect(await states(unattended)).toEqual([false]);
  expect((await unattended.run('revoke', 'studio', '--yes')).out).toContain('studio is revoked.');
  // Revoking a revoked client changes nothing, so it needs no confirmation.
  expect((await unattended.run('revoke', 'studio')).exitCode).toBe(0);

  const no = commandLine(false);
  await no.run('add', 'studio');
  expect((await no.run('revoke', 'studio')).exitCode).toBe(2);
  expect(await states(no)).toEqual([false]);

  const yes = commandLine(true);
  await yes.run('add', 'admin', '--scope', 'admin');
  expect((await yes.run('revoke', 'admin')).exitCode).toBe(0);
  expect(yes.questions).toEqual([expect.stringMatching(/"admin" cannot be undone.*admin-client\.json is deleted/s)]);
  expect(await states(yes)).toEqual([true]);
});

test('each change is in the audit log, with the user of the operating system', async () => {
  const { run, events } = commandLine();
  await run('add', 'studio');
  await run('rotate', 'studio', '--grace', '2');
  await run('set', 'studio', '--scope', 'jobs:read');
  await run('list');
  await run('revoke', 'studio', '--yes');
  const user = userInfo().username;
  const via = { target: 'studio', outcome: 'done', via: 'command line' };
  expect(events).toMatchObject([
    { ...via, action: 'client.add', details: { user, root: join(media, 'studio') } },
    { ...via, action: 'client.rotate', details: { user, graceHours: 2 } },
    { ...via, action: 'client.change', details: { user, scopes: ['jobs:read'] } },
    { ...via, action: 'client.revoke', details: { user } },
  ]);
});

test('the name of a revoked client stays taken, and the error says why', async () => {
  const { run } = commandLine();
  await run('add', 'studio');
  await run('revoke', 'studio', '--yes');
  expect((await run('add', 'studio')).err).toBe(
    'error: The client "studio" was revoked. Its name stays taken, because its jobs and files belong to that name.\n',
  );
});
