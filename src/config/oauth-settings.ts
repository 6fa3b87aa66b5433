import { readChoice, readList, readSecureAddress, type Setting, type SettingReader } from './setting.ts';

const setting = <T>(s: Setting<T>): Setting<T> => s;

/** What may stand in a `WWW-Authenticate` field as part of a scope (RFC 6749, 3.3). */
const scopePrefix: SettingReader<string> = (text) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text)) throw new Error('must be visible ASCII without spaces, quotes or \\');
  return text;
};

/** For tokens of an external OAuth issuer; off without the first. */
export const OAUTH_SETTINGS = {
  oauthIssuer: setting({
    names: ['TELECINE_OAUTH_ISSUER'],
    about:
      'An OAuth or OpenID Connect issuer whose access tokens are taken besides our own, from subjects that have a client (`telecine client add NAME --external SUBJECT`). Written exactly as its tokens say it in `iss`. Needs `TELECINE_PUBLIC_URL`. Without it there is no OAuth discovery.',
    form: 'an https address; http on loopback alone',
    fallback: undefined,
    read: readSecureAddress,
  }),
  oauthAudiences: setting({
    names: ['TELECINE_OAUTH_AUDIENCE'],
    about:
      'What `aud` of its tokens must hold, one of them. By default `TELECINE_PUBLIC_URL`, with a slash at its end or not, and `/mcp` below it.',
    form: 'a list, separated by commas',
    fallback: undefined,
    read: readList,
  }),
  oauthScopePrefix: setting({
    names: ['TELECINE_OAUTH_SCOPE_PREFIX'],
    about:
      'What our scopes begin with there: with `telecine:`, its `telecine:jobs:read` is our `jobs:read`, and what does not begin so is not for us.',
    form: 'visible ASCII',
    fallback: undefined,
    read: scopePrefix,
  }),
  oauthTokenType: setting({
    names: ['TELECINE_OAUTH_TOKEN_TYPE'],
    about:
      'What its tokens must say they are, in `typ`. `jwt` takes those too that say `JWT` or nothing, for issuers that do not follow RFC 9068; then an ID token is told from an access token by its audience alone.',
    form: 'at+jwt or jwt',
    fallback: 'at+jwt',
    read: readChoice('at+jwt', 'jwt'),
  }),
  oauthJwksUri: setting({
    names: ['TELECINE_OAUTH_JWKS_URI'],
    about:
      'Where its keys are, for an issuer without metadata, or one that has them on another origin. By default what its metadata names, on its own origin alone.',
    form: 'an https address; http on loopback alone',
    fallback: undefined,
    read: readSecureAddress,
  }),
} as const;
