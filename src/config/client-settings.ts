import { readPath, readText, readWebAddress, type Setting } from './setting.ts';

const setting = <T>(s: Setting<T>): Setting<T> => s;

/** Settings of `telecine convert`, `jobs`, `probe` and `mcp`: the service and the credentials. */
export const CLIENT_SETTINGS = {
  url: setting({
    names: ['TELECINE_URL'],
    about: 'Address of the service. `--url` overrides it.',
    form: 'an http(s) address',
    fallback: 'http://127.0.0.1:8080',
    read: readWebAddress,
  }),
  clientId: setting({
    names: ['TELECINE_CLIENT_ID'],
    about: 'Client id, as printed by `telecine client add`. Requires a secret, see below.',
    form: 'a client id',
    fallback: undefined,
    read: readText,
  }),
  clientSecret: setting({
    names: ['TELECINE_CLIENT_SECRET'],
    about: 'Secret of the client.',
    form: 'a secret',
    fallback: undefined,
    read: readText,
  }),
  clientSecretFile: setting({
    names: ['TELECINE_CLIENT_SECRET_FILE'],
    about: 'File with the secret, instead of the secret itself.',
    form: 'a file',
    fallback: undefined,
    read: readPath,
  }),
  webhookSecret: setting({
    names: ['TELECINE_WEBHOOK_SECRET'],
    about:
      'Secret with which `telecine webhook listen` verifies. Without it and a file, it is read from standard input.',
    form: 'a secret such as whsec_…',
    fallback: undefined,
    isSecret: true,
    read: readText,
  }),
  webhookSecretFile: setting({
    names: ['TELECINE_WEBHOOK_SECRET_FILE'],
    about: 'File with that secret, instead of the secret itself.',
    form: 'a file',
    fallback: undefined,
    read: readPath,
  }),
  token: setting({
    names: ['TELECINE_TOKEN'],
    about: 'Access token obtained elsewhere. It overrides the client id and secret, and is not renewed.',
    form: 'an access token',
    fallback: undefined,
    read: readText,
  }),
} as const;
