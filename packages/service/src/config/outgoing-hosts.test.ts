import { expect, test } from 'vitest';
import { readOutgoingHosts } from './outgoing-hosts.ts';

test('reads what is allowed', () => {
  expect(readOutgoingHosts('deny')).toEqual({ isPublicAllowed: false, hosts: [] });
  expect(readOutgoingHosts('public')).toEqual({ isPublicAllowed: true, hosts: [] });
  expect(readOutgoingHosts('Public, Media.LAN:8080,10.0.0.0/8:443,[FD00:0::1]:80,[fd00::/8]:443,127.0.0.1:9')).toEqual({
    isPublicAllowed: true,
    hosts: [
      { host: 'media.lan', port: 8080 },
      { host: '10.0.0.0/8', port: 443 },
      { host: 'fd00::1', port: 80 },
      { host: 'fd00::/8', port: 443 },
      { host: '127.0.0.1', port: 9 },
    ],
  });
});

test.each([
  [''],
  ['deny,public'],
  ['public:443'],
  ['media.lan'],
  ['media.lan:0'],
  ['media.lan:65536'],
  ['*:80'],
  ['*.media.lan:80'],
  ['10.0.0.0/33:80'],
  ['10.0.0.0/8'],
  ['127.1:80'],
  ['2130706433:80'],
  ['fd00::1:80'],
  ['[fd00::1]'],
  ['[fe80::1%eth0]:80'],
  ['[fd00::/129]:80'],
  ['[media.lan]:80'],
  ['http://media.lan:80'],
  ['user@media.lan:80'],
  ['media.lan:80,'],
])('rejects %j', (text) => {
  expect(() => readOutgoingHosts(text)).toThrow('each entry except public needs a port');
});
