import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import {
  checkUrl,
  isAllowed,
  isPublicAddress,
  type OutgoingPolicy,
} from '../../../packages/service/src/outgoing/outgoing-policy.ts';

const PUBLIC: OutgoingPolicy = { isPublicAllowed: true, hosts: [] };

test.each([
  ['1.1.1.1'],
  ['8.8.8.8'],
  ['93.184.215.14'],
  ['100.63.255.255'],
  ['100.128.0.1'],
  ['172.15.255.255'],
  ['172.32.0.1'],
  ['169.253.255.255'],
  ['192.167.255.255'],
  ['223.255.255.255'],
  ['2606:4700:4700::1111'],
  ['2a00:1450:4001:80b::200e'],
  ['2001:4860:4860::8888'],
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
  const host = address.includes(':') ? `[${address}]` : address;
  expect(checkUrl(PUBLIC, `https://${host}/a.mp4`)).toBe(undefined);
});

test.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['shared by carriers', '100.64.0.1'],
  ['shared by carriers', '100.127.255.255'],
  ['metadata of clouds', '169.254.169.254'],
  ['metadata of containers', '169.254.170.2'],
  ['metadata of Alibaba', '100.100.100.200'],
  ['metadata of Oracle', '192.0.0.192'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['benchmarks', '198.19.255.255'],
  ['AS112', '192.175.48.1'],
  ['AS112', '192.31.196.1'],
  ['AMT', '192.52.193.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.250'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback in full', '0:0:0:0:0:0:0:1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback in hex', '::ffff:7f00:1'],
  ['mapped metadata', '::ffff:169.254.169.254'],
  ['mapped public', '::ffff:8.8.8.8'],
  ['compatible loopback', '::127.0.0.1'],
  ['compatible metadata', '::a9fe:a9fe'],
  ['compatible public', '::8.8.8.8'],
  ['translated (SIIT)', '::ffff:0:127.0.0.1'],
  ['translated (SIIT), public', '::ffff:0:8.8.8.8'],
  ['NAT64 loopback', '64:ff9b::127.0.0.1'],
  ['NAT64 metadata', '64:ff9b::a9fe:a9fe'],
  ['NAT64 public', '64:ff9b::8.8.8.8'],
  ['local NAT64', '64:ff9b:1::10.0.0.1'],
  ['local NAT64, other prefix length', '64:ff9b:1:a00:0:100::'],
  ['discard', '100::1'],
  ['dummy prefix', '100:0:0:1::1'],
  ['6to4 loopback', '2002:7f00:1::'],
  ['6to4 metadata', '2002:a9fe:a9fe::1'],
  ['6to4 public', '2002:808:808::1'],
  ['Teredo', '2001::1'],
  ['Teredo with an inner loopback', '2001:0:808:808:0:0:80ff:fffe'],
  ['ORCHID', '2001:10::1'],
  ['ORCHIDv2', '2001:20::1'],
  ['benchmarks', '2001:2::1'],
  ['drone ids', '2001:30::1'],
  ['protocol assignments', '2001:1::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['AS112', '2620:4f:8000::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd00:ec2::254'],
  ['unique local', 'fdff::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['public with a zone', '2606:4700:4700::1111%eth0'],
  ['link-local, end of the range', 'febf::1'],
  ['site-local', 'fec0::1'],
  ['site-local, end of the range', 'feff::1'],
  ['multicast', 'ff02::1'],
  ['multicast', 'ff0e::1'],
  ['not allocated', '4000::1'],
  ['not allocated', '1::1'],
  ['not an address', '127.1'],
  ['not an address', '0x7f.0.0.1'],
  ['not an address', '010.0.0.1'],
  ['not an address', '2130706433'],
  ['not an address', 'localhost'],
  ['not an address', ''],
  ['not an address', '8.8.8.8.'],
  ['not an address', '::ffff:8.8.8'],
])('is not a public address: %s %s', (_kind, address) => {
  expect(isPublicAddress(address)).toBe(false);
  expect(isAllowed(PUBLIC, { host: 'files.example', port: 443 }, address)).toBe(false);
});

test.each([
  ['decimal', 'http://2130706433/'],
  ['octal', 'http://0177.0.0.1/'],
  ['octal of one number', 'http://017700000001/'],
  ['hexadecimal', 'http://0x7f000001/'],
  ['hexadecimal parts', 'http://0x7f.0x0.0x0.0x1/'],
  ['short', 'http://127.1/'],
  ['metadata in decimal', 'http://2852039166/'],
  ['metadata in octal', 'http://0251.0376.0251.0376/'],
  ['zero', 'http://0/'],
  ['full-width digits', 'http://１２７.０.０.１/'],
  ['circled digits', 'http://①②⑦.⓪.⓪.①/'],
  ['ideographic full stops', 'http://127。0。0。1/'],
  ['percent-encoded', 'http://%31%32%37.0.0.1/'],
  ['dot at the end', 'http://127.0.0.1./'],
  ['mapped', 'http://[::ffff:127.0.0.1]/'],
  ['compatible', 'http://[::127.0.0.1]/'],
  ['NAT64', 'http://[64:ff9b::7f00:1]/'],
  ['6to4', 'http://[2002:7f00:1::]/'],
  ['localhost', 'http://localhost/'],
  ['localhost with a dot', 'http://LOCALHOST./'],
  ['name below localhost', 'http://a.localhost/'],
  ['port of mail', 'http://files.example:25/'],
  ['port of SSH', 'http://8.8.8.8:22/'],
])('rejects the host of a URL: %s', (_form, url) => {
  expect(checkUrl(PUBLIC, url)).toBe('HOST');
});

test.each([
  ['NOT_A_URL', 'http://'],
  ['NOT_A_URL', 'http://[fe80::1%25eth0]/'],
  ['NOT_A_URL', 'http://[fe80::1%eth0]/'],
  ['NOT_A_URL', 'http://1.2.3.4.5/'],
  ['NOT_A_URL', 'http://256.1.1.1/'],
  ['NOT_A_URL', 'in.mp4'],
  ['SCHEME', 'ftp://files.example/a'],
  ['SCHEME', 'file:///etc/passwd'],
  ['SCHEME', 'gopher://files.example/'],
  ['SCHEME', 'data:text/plain,a'],
  ['USER', 'https://user:secret@files.example/'],
  ['USER', 'https://8.8.8.8@127.0.0.1/'],
])('%s: %s', (fault, url) => {
  expect(checkUrl(PUBLIC, url)).toBe(fault);
});

test('the empty policy allows nothing', () => {
  const none: OutgoingPolicy = { isPublicAllowed: false, hosts: [] };
  expect(checkUrl(none, 'https://files.example/')).toBe('NOTHING_ALLOWED');
  expect(isAllowed(none, { host: 'files.example', port: 443 }, '8.8.8.8')).toBe(false);
});

test.each<[boolean, string, string, string]>([
  [true, 'media.lan', 'http://media.lan:8080/', '10.0.0.5'],
  [true, 'media.lan', 'http://MEDIA.lan.:8080/', '10.0.0.5'],
  [false, 'media.lan', 'http://other.lan:8080/', '10.0.0.5'],
  [false, 'media.lan', 'http://media.lan/', '10.0.0.5'],
  [true, '10.0.0.5', 'http://10.0.0.5:8080/', '10.0.0.5'],
  [true, '10.0.0.5', 'http://any.example:8080/', '10.0.0.5'],
  [true, '10.0.0.5', 'http://any.example:8080/', '::ffff:10.0.0.5'],
  [false, '10.0.0.5', 'http://any.example:8080/', '10.0.0.6'],
  [false, '10.0.0.5', 'http://any.example:8080/', '64:ff9b::10.0.0.5'],
  [true, '10.0.0.0/8', 'http://10.255.0.1:8080/', '10.255.0.1'],
  [false, '10.0.0.0/8', 'http://10.255.0.1:8081/', '10.255.0.1'],
  [false, '10.0.0.0/8', 'http://11.0.0.1:8080/', '11.0.0.1'],
  [true, 'fd00::/8', 'http://[fd12::1]:8080/', 'fd12::1'],
  [false, 'fd00::/8', 'http://[fc12::1]:8080/', 'fc12::1'],
  [true, '::1', 'http://[0:0::1]:8080/', '::1'],
  [false, '10.0.0.0/8', 'http://public.example:8080/', '8.8.8.8'],
])('allowed %s: an entry %s with port 8080, %s at %s', (allowed, host, text, address) => {
  const url = new URL(text);
  const policy: OutgoingPolicy = { isPublicAllowed: false, hosts: [{ host, port: 8080 }] };
  const destination = {
    host: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''),
    port: Number(url.port || 80),
  };
  expect(isAllowed(policy, destination, address)).toBe(allowed);
  if (allowed) expect(checkUrl(policy, text)).toBe(undefined);
});

test('addresses of this machine are not public, whatever their range', () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  expect(own.length).toBeGreaterThan(0);
  for (const { address } of own) expect(isAllowed(PUBLIC, { host: 'a.example', port: 80 }, address)).toBe(false);
});
