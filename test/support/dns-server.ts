import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import type { HostAddress, HostLookup } from '../../packages/service/src/outgoing/host-lookup.ts';

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };

export interface DnsServer {
  /** `ADDRESS:PORT` of the server. */
  readonly address: string;
  /** Asks the server as the service asks the system. */
  readonly findAddresses: (name: string) => ReturnType<HostLookup>;
  /** The names that were asked for addresses, each question once for both families. */
  readonly questions: string[];
}

/**
 * A DNS server (UDP on loopback) until the current test ends. `answers` gets a name and how often it was asked before, and
 * returns its addresses. Only `findAddresses` calls it; to others, the server gives the last answers.
 */
export async function startDnsServer(
  answers: (name: string, askedBefore: number) => readonly string[],
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  /** The answers to the last question for a name: both families of one question must agree. */
  let current: readonly HostAddress[] = [];
  socket.on('message', (query, { port, address }) => {
    socket.send(reply(query, current), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async findAddresses(name) {
      const askedBefore = questions.filter((asked) => asked === name).length;
      questions.push(name);
      current = answers(name, askedBefore).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const found: HostAddress[] = [];
      if (current.some(({ family }) => family === 4))
        for (const address of await resolver.resolve4(name)) found.push({ address, family: 4 });
      if (current.some(({ family }) => family === 6))
        for (const address of await resolver.resolve6(name)) found.push({ address, family: 6 });
      if (found.length === 0) await resolver.resolve4(name);
      return found;
    },
  };
}

/** The reply to a query with one question (RFC 1035, 4.1), with those of the addresses that it asks for. */
function reply(query: Buffer, addresses: readonly HostAddress[]): Buffer {
  let end = 12;
  while (query[end] !== 0) end += (query[end] ?? 0) + 1;
  const question = query.subarray(12, end + 5);
  const family = TYPES[query.readUInt16BE(end + 1)];
  const records = addresses.filter((one) => one.family === family).map(({ address }) => record(address));
  const header = Buffer.from(query.subarray(0, 12));
  // A response with recursion; NXDOMAIN if the name has no address at all.
  header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  return Buffer.concat([header, question, ...records]);
}

/** An answer for the name of the question that nobody may cache. */
function record(address: string): Buffer {
  const data = address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(address.includes(':') ? 28 : 1, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const words = (text: string): number[] =>
    text.split(':').flatMap((word) => (word === '' ? [] : [parseInt(word, 16)]));
  const [before, after] = [words(left), words(right)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}
