import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dnsLookup, hostsFile, systemLookup } from '../../packages/service/src/outgoing/host-lookup.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { testFolder } from '../support/folders.ts';
import { waitUntil } from '../support/wait.ts';

const NEVER = new AbortController().signal;

test('finds the addresses of both families in DNS', async () => {
  const { address, findAddresses } = await startDnsServer(() => ['192.0.2.7', '2001:db8::7']);
  await findAddresses('files.example');
  expect(await dnsLookup('files.example', NEVER, [address])).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

test('says that DNS has no address', async () => {
  const { address } = await startDnsServer(() => []);
  await expect(dnsLookup('none.example', NEVER, [address])).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('any number of look-ups that DNS does not answer delay no other, and end at once when they are cancelled', async () => {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', () => {
    questions += 1;
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const server = `127.0.0.1:${socket.address().port}`;
  const cancelled = new AbortController();
  const reason = new Error('nobody waits');
  const hanging = Array.from({ length: 64 }, (_, i) => dnsLookup(`host-${i}.example`, cancelled.signal, [server]));
  const ended = Promise.allSettled(hanging);
  await waitUntil('the questions', async () => questions >= 64 || undefined);
  expect(await lookup('localhost')).toMatchObject({ address: expect.any(String) });
  cancelled.abort(reason);
  expect(new Set((await ended).map((result) => result.status === 'rejected' && result.reason))).toEqual(
    new Set([reason]),
  );
});

test('asks the system for one name at a time, once for all who wait for it', async () => {
  const asked: string[] = [];
  let answer = (): void => {};
  const find = systemLookup(async (name) => {
    asked.push(name);
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return [{ address: `192.0.2.${asked.length}`, family: 4 }];
  });
  const gone = new AbortController();
  const [a, b, c] = [
    find('a', { isListed: false, signal: NEVER }),
    find('b', { isListed: false, signal: gone.signal }),
    find('c', { isListed: false, signal: gone.signal }),
  ];
  const others = [find('a', { isListed: false, signal: NEVER }), find('c', { isListed: false, signal: NEVER })];
  gone.abort(new Error('gone'));
  await waitUntil('the first look-up', async () => asked.length === 1 || undefined);
  answer();
  await expect(b).rejects.toThrow('gone');
  await waitUntil('the next look-up', async () => asked.length === 2 || undefined);
  answer();
  const found = (last: number) => [{ address: `192.0.2.${last}`, family: 4 }];
  expect(await Promise.all([a, c, ...others])).toEqual([found(1), found(2), found(1), found(2)]);
  expect(asked).toEqual(['a', 'c']);
  const again = find('a', { isListed: false, signal: NEVER });
  await waitUntil('a look-up of its own', async () => asked.length === 3 || undefined);
  answer();
  expect(await again).toEqual(found(3));
});

test("a name of the operator's list waits for one name of clients, however many they have chosen", async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const find = systemLookup(async (name) => {
    asked.push(name);
    await new Promise<void>((resolve) => answers.push(resolve));
    return [];
  });
  const chosen = Array.from({ length: 20 }, (_, index) => find(`host${index}`, { isListed: false, signal: NEVER }));
  await waitUntil('the first look-up', async () => asked.length === 1 || undefined);
  const listed = find('store', { isListed: true, signal: NEVER });
  // The operator's list can have this name with another port.
  const listedToo = find('host19', { isListed: true, signal: NEVER });
  answers.shift()?.();
  await waitUntil('the next look-up', async () => asked.length === 2 || undefined);
  answers.shift()?.();
  await waitUntil('the other listed look-up', async () => asked.length === 3 || undefined);
  expect(asked.filter((name) => !/^host(?:0|1)$/.test(name))).toEqual(['store', 'host19']);
  while (asked.length < 22) {
    answers.shift()?.();
    await new Promise(setImmediate);
  }
  for (const answer of answers) answer();
  await Promise.all([...chosen, listed, listedToo]);
});

test('reads a hosts file as the system does, and again when it has changed', async () => {
  const file = join(await testFolder('hosts'), 'hosts');
  const find = hostsFile(file);
  expect(await find('files.example')).toEqual([]);
  await writeFile(
    file,
    [
      '# 192.0.2.9 commented.example',
      '127.0.0.1\tlocalhost',
      '192.0.2.1   Files.Example media.lan  # the store',
      '2001:db8::1 files.example',
      'fe80::1%eth0 zone.example',
      'nonsense other.example',
    ].join('\n'),
  );
  expect(await find('FILES.example')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
  expect(await find('media.lan')).toEqual([{ address: '192.0.2.1', family: 4 }]);
  for (const name of ['commented.example', 'zone.example', 'other.example', '__proto__'])
    expect(await find(name)).toEqual([]);
  await writeFile(file, '192.0.2.2 files.example\n');
  expect(await find('files.example')).toEqual([{ address: '192.0.2.2', family: 4 }]);
});
