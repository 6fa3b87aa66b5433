import { readFolder, readText, readWebAddress, type Setting } from './setting.ts';

const setting = <T>(s: Setting<T>): Setting<T> => s;

/** What `telecine convert`, `jobs`, `probe` and `mcp` read: where the service is, and who calls. */
export const CLIENT_SETTINGS = {
  url: setting({
    names: ['TELECINE_URL'],
    about: 'The service to talk to. `--url` wins over it.',
    form: 'an http(s) address',
    fallback: 'http://127.0.0.1:8080',
    read: readWebAddress,
  }),
  clientId: setting({
    names: ['TELECINE_CLIENT_ID'],
    about: 'Who calls, as `telecine client add` printed it; with one of the two that follow.',
    form: 'a client id',
    fallback: undefined,
    read: readText,
  }),
  clientSecret: setting({
    names: ['TELECINE_CLIENT_SECRET'],
    about: 'The secret that belongs to it.',
    form: 'a secret',
    fallback: undefined,
    read: readText,
  }),
  clientSecretFile: setting({
    names: ['TELECINE_CLIENT_SECRET_FILE'],
    about: 'A file that holds the secret, in place of the secret itself.',
    form: 'a file',
    fallback: undefined,
    read: readFolder,
  }),
  token: setting({
    names: ['TELECINE_TOKEN'],
    about:
      'An access token that was obtained elsewhere. It wins over an id and a secret, and is not renewed when it ends.',
    form: 'an access token',
    fallback: undefined,
    read: readText,
  }),
} as const;
