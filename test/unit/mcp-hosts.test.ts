import { expect, test } from 'vitest';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { mcpHosts } from '../../packages/service/src/start/mcp.ts';

const hosts = (environment: Record<string, string>) => mcpHosts(readConfig(environment));
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

test('on loopback allows only loopback names and configured ones', () => {
  expect(new Set(hosts({}))).toEqual(new Set(LOOPBACK));
  expect(hosts({ TELECINE_PUBLIC_URL: 'https://media.example/t' })).toContain('media.example');
  expect(hosts({ TELECINE_ALLOWED_HOSTS: 'Media.lan, [fd00::1]' })).toEqual(
    expect.arrayContaining(['media.lan', '[fd00::1]', 'localhost']),
  );
});

test('on other addresses allows any name, unless names are configured', () => {
  expect(hosts({ TELECINE_HOST: '0.0.0.0' })).toBeUndefined();
  expect(hosts({ TELECINE_HOST: '0.0.0.0', TELECINE_PUBLIC_URL: 'https://media.example' })).toContain('media.example');
  expect(hosts({ TELECINE_HOST: '::1' })).toEqual(expect.arrayContaining(LOOPBACK));
});

test.each(['media.lan:80', 'http://media.lan', 'a b', ''])('rejects the list of host names %j', (text) => {
  const read = () => hosts({ TELECINE_ALLOWED_HOSTS: `ok.lan,${text}` });
  expect(read).toThrow(/TELECINE_ALLOWED_HOSTS.*host names/);
});
