import { expect, test } from 'vitest';
import { readClientConfig } from './client-config.ts';

test.each([
  [{}, 'http://127.0.0.1:8080'],
  [{ TELECINE_PORT: '9000' }, 'http://127.0.0.1:9000'],
  [{ TELECINE_PORT: '0' }, 'http://127.0.0.1:8080'],
  [{ TELECINE_PORT: '9000', TELECINE_URL: 'https://media.example.org' }, 'https://media.example.org'],
])('commands with the settings %j call %s', (env, url) => {
  expect(readClientConfig(env).url).toBe(url);
  expect(readClientConfig(env, 'http://other:1').url).toBe('http://other:1');
});
